import { isJsonObject, type Json } from '../../base/json.ts';
import type { SeededRandom } from '../../base/random.ts';
import type { BodyForm } from '../../service/types.ts';
import type { Effect, FaultEffect } from '../effects.ts';
import { removeField, renameError, renameField, retypeField, widenEnum, withoutNextPage } from './shape.ts';
import {
  alterText,
  type EditedBody,
  flipFlag,
  nullField,
  plantSecret,
  plantText,
  swapIds,
  truncateList,
  wrongTotal,
  wrongUnit,
} from './values.ts';

/** An answer as far as an edit is concerned. */
export interface EditableAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An answer after an edit. */
export interface EditedAnswer extends EditedBody {
  readonly status: number;
  /** Only where the edit is about them. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The answer as an effect edits it; null where the effect is no edit of answers, or finds nothing to change.
 * Effects that lie about a success leave errors alone.
 */
export function editAnswer(
  effect: FaultEffect,
  answer: EditableAnswer,
  random: SeededRandom,
): EditedAnswer | null {
  const { status, headers } = answer;
  if (effect.kind === 'error-renamed') {
    if (status < 400) return null;
    const edited = inContent(answer.body, (body) => renameError(effect, body));
    return edited && { ...edited, status: effect.status ?? status };
  }
  if (status >= 400) return null;
  if (effect.kind === 'page-missing') {
    const edited = inContent(answer.body, (body) => withoutNextPage(body, headers));
    return edited && { status, ...edited };
  }
  const edited = inContent(answer.body, (body) => editBody(effect, body, random));
  return edited && { ...edited, status };
}

function editBody(effect: FaultEffect, body: Json, random: SeededRandom): EditedBody | null {
  switch (effect.kind) {
    case 'ids-swapped':
      return swapIds(effect, body, random);
    case 'list-truncated':
      return truncateList(effect, body, random);
    case 'total-wrong':
      return wrongTotal(effect, body, random);
    case 'unit-wrong':
      return wrongUnit(effect, body, random);
    case 'flag-flipped':
      return flipFlag(effect, body, random);
    case 'field-nulled':
      return nullField(effect, body, random);
    case 'text-altered':
      return alterText(effect, body, random);
    case 'field-renamed':
      return renameField(effect, body, random);
    case 'field-removed':
      return removeField(effect, body, random);
    case 'field-retyped':
      return retypeField(effect, body, random);
    case 'enum-widened':
      return widenEnum(effect, body, random);
    case 'text-planted':
      return plantText(effect, body, random);
    case 'secret-planted':
      return plantSecret(effect, body, random);
    default:
      return null;
  }
}

/**
 * Edits what a body says. The parts of a result of the Model Context Protocol hold JSON as a text: what is in
 * the first such text is edited then.
 */
function inContent<Edited extends EditedBody>(
  body: Json,
  edit: (body: Json) => Edited | null,
): Edited | null {
  const content = isJsonObject(body) ? body.content : undefined;
  if (!Array.isArray(content)) return edit(body);
  for (const [index, part] of content.entries()) {
    if (!isJsonObject(part) || typeof part.text !== 'string') continue;
    const inner = parsed(part.text);
    const edited = edit(inner === undefined ? part.text : inner);
    if (!edited) continue;
    const text =
      inner === undefined && typeof edited.body === 'string' ? edited.body : JSON.stringify(edited.body);
    const parts = content.map((one: Json, at) => (at === index ? { ...part, text } : one));
    return { ...edited, body: { ...(body as object), content: parts } as Json };
  }
  return null;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * The text of a body that broke on its way; null where there is none that could. Of a result of the Model
 * Context Protocol its first text breaks.
 */
export function brokenBody(
  effect: Effect<'body-malformed' | 'body-truncated' | 'body-empty'>,
  { body, form = 'json' }: { readonly body: Json; readonly form?: BodyForm | undefined },
): string | null {
  if (form === 'empty') return null;
  const said = textOf(body);
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  switch (effect.kind) {
    case 'body-empty':
      return text === '' ? null : '';
    case 'body-truncated': {
      const keep = effect.keep ?? Math.floor(text.length / 2);
      // A character of two code units is not cut in two: what is recorded must stay a text.
      return keep >= text.length ? null : text.slice(0, keep).toWellFormed();
    }
    case 'body-malformed':
      // Any text is a text, and any bytes are bytes: only what is to be JSON can be none.
      return form === 'json' ? `${text.slice(0, -1)},<html>` : null;
  }
}

/** What an answer says: the first text among the parts of a result, else all of it. */
function textOf(body: Json): Json {
  const content = isJsonObject(body) ? body.content : undefined;
  if (!Array.isArray(content)) return body;
  const part = content.find((one) => isJsonObject(one) && typeof one.text === 'string');
  return isJsonObject(part) ? (part.text as Json) : body;
}
