/** Sessions as a server holds them: credentials, inputs, logs. The doors decide nothing and hold no state. */
export { HostedEpisode } from './episode.ts';
export type { HostedSession } from './held.ts';
export {
  type HostOptions,
  SessionHost,
  type Soon,
  type StateOptions,
  type Via,
} from './host.ts';
export { CONTROL_TOKEN, drawToken, ENVIRONMENT_TOKEN, SESSION_TOKEN, sameSecret } from './tokens.ts';
export type * from './types.ts';
