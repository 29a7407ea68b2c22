import type { TraceFile } from '../documents.ts';
import type { TraceRun } from '../types.ts';
import { unitsOf } from '../units.ts';
import { CHAT_FORM, readChatUnit } from './chat.ts';
import { hasItems, RESPONSES_FORM, readResponseUnits } from './responses.ts';

/** Chat messages of a file: lists, `{messages}`, completion bodies; null when it holds none. */
export function readOpenAiChat(trace: TraceFile): TraceRun[] | null {
  return unitsOf(trace, CHAT_FORM)?.flatMap(readChatUnit) ?? null;
}

/** Response bodies or items of a file; null when it holds none. */
export function readOpenAiResponses(trace: TraceFile): TraceRun[] | null {
  const units = unitsOf(trace, RESPONSES_FORM);
  if (units === null || !units.every(({ parts }) => parts === null || hasItems(parts))) return null;
  return readResponseUnits(units);
}
