import type { Seeding } from '../../../../service/index.ts';
import type { GithubSchema } from '../../schema.ts';
import { tellStories } from '../stories/index.ts';
import { addPeople } from './people.ts';
import type { Plan } from './plan.ts';
import { addRepositories } from './repositories.ts';
import { Scene } from './scene.ts';

export { LARGE, STANDARD } from './plan.ts';

/** Adds to the small world what years of work leave, drawn from word lists and the seed's generator. */
export function seedLivedIn(seeding: Seeding<GithubSchema>, plan: Plan, epochMs: number): void {
  const scene = new Scene(seeding, plan, epochMs);
  addPeople(scene);
  addRepositories(scene);
  tellStories(scene);
}
