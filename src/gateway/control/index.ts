/** The control plane: what whoever runs the sessions may do, behind a token of its own. */
export { type ControlAddress, ControlClient, type OpenedSession, type PageRequest } from './client.ts';
export { type ControlOptions, controlDoor } from './door.ts';
export { CONTROL_PREFIX } from './openapi.ts';
