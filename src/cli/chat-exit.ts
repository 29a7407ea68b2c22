import type { ChatError, ChatErrorKind } from '../llm/index.ts';
import type { ExitCode } from './command.ts';

/** What whoever gave the command must change; all else is an outage, or money that is used up. */
const MISUSE: ReadonlySet<ChatErrorKind> = new Set([
  'no-key',
  'unauthorised',
  'unknown-model',
  'bad-url',
  'bad-request',
  'not-recorded',
]);

/** What a command ends with that a model gave nothing to go on with. */
export function chatExit({ kind }: ChatError): ExitCode {
  return MISUSE.has(kind) ? 2 : 3;
}
