/** The HTTP listener that all doors share, and the REST door. */
export { answerJson, answerProblem, answerSocket, type Problem } from './answers.ts';
export { type Arguments, bodyArguments, queryArguments } from './arguments.ts';
export { type Conversion, conversionFor } from './conversion.ts';
export { type Listening, type ListenOptions, listen } from './listener.ts';
export { tokenMask } from './masking.ts';
export { type RestOptions, restDoor } from './rest.ts';
export { traceOf } from './trace.ts';
export { BodyProblem, DEFAULT_LIMITS, type Door, type DoorRequest, type ListenerLimits } from './types.ts';
