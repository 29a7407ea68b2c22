import type { SessionHost } from '../host/index.ts';
import type { Door } from '../http/index.ts';

/** The door of the control plane. */
export function controlDoor(_host: SessionHost, _options: { readonly token: string }): Door {
  return { name: 'control', handle: () => null };
}
