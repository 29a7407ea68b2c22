import type { SessionHost } from '../host/index.ts';
import type { Door } from './types.ts';

export interface RestOptions {
  readonly time?: 'fixed' | { readonly observed: true; readonly scale: number };
  readonly pace?: 'none' | 'real';
  readonly permissive?: boolean;
}

/** The vendors' own HTTP interfaces. */
export function restDoor(_host: SessionHost, _options: RestOptions = {}): Door {
  return { name: 'rest', handle: () => null };
}
