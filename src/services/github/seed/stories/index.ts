import type { Scene } from '../lived-in/scene.ts';
import { tellBeacon } from './beacon.ts';
import { tellHarbor } from './harbor.ts';
import { tellOrchard } from './orchard.ts';
import { tellVault } from './vault.ts';

/** Repositories in which there is something to do: what scenarios are about. */
export function tellStories(scene: Scene): void {
  tellBeacon(scene);
  tellOrchard(scene);
  tellHarbor(scene);
  tellVault(scene);
}
