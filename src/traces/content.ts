import { isJsonObject, type Json } from '../base/json.ts';
import type { RunBuilder } from './run-builder.ts';

const TEXT_KINDS = new Set(['text', 'input_text', 'output_text', 'summary_text', 'reasoning_text']);
const MEDIA = /image|audio|video|file|document|blob|uri|media/u;

/** The text of a message's content: a text, or parts of which those that are none are counted as lost. */
export function contentText(content: Json | undefined, run: RunBuilder): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) {
    if (content !== undefined && content !== null) run.lose('unknown-content', JSON.stringify(content));
    return '';
  }
  return (content as readonly Json[])
    .map((part) => partText(part, run))
    .filter((text) => text !== '')
    .join('\n');
}

function partText(part: Json, run: RunBuilder): string {
  if (typeof part === 'string') return part;
  if (!isJsonObject(part)) {
    run.lose('unknown-content', JSON.stringify(part));
    return '';
  }
  const kind = typeof part.type === 'string' ? part.type : 'text';
  if (TEXT_KINDS.has(kind) && typeof part.text === 'string') return part.text;
  if (kind === 'text' && typeof part.content === 'string') return part.content;
  if (kind === 'refusal' && typeof part.refusal === 'string') return part.refusal;
  run.lose(MEDIA.test(kind) ? 'content-not-text' : 'unknown-content', kind);
  return '';
}
