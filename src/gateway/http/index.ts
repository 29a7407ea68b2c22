/** The HTTP listener that all doors share, and the REST door. */
export { answerJson, answerProblem, breakOff } from './answers.ts';
export { queryArguments } from './arguments.ts';
export { type Conversion, conversionFor, referenced } from './conversion.ts';
export { type Listening, listen } from './listener.ts';
export { tokenMask } from './masking.ts';
export { Pacing } from './pacing.ts';
export { type RestOptions, restDoor } from './rest.ts';
export { DEFAULT_LIMITS, type Door, type DoorRequest, type ListenerLimits } from './types.ts';
