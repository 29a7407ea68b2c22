/** The control plane: what whoever runs the sessions may do, behind a token of its own. */
export { controlDoor } from './door.ts';
export { CONTROL_PREFIX } from './openapi.ts';
