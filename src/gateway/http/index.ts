/** The HTTP listener that all doors share, and the REST door. */
export { type Listening, listen } from './listener.ts';
export { type RestOptions, restDoor } from './rest.ts';
export { BodyProblem, DEFAULT_LIMITS, type Door, type DoorRequest, type ListenerLimits } from './types.ts';
