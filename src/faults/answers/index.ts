import { isJsonObject, type Json } from '../../base/json.ts';
import type { SeededRandom } from '../../base/random.ts';
import type { BodyForm } from '../../service/types.ts';
import type { Effect, FaultEffect } from '../effects.ts';
import { type Place, valueIn, withValue } from './places.ts';
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
    return edited && withStatus(edited, { from: status, to: effect.status ?? status });
  }
  if (status >= 400) return null;
  if (effect.kind === 'page-missing') {
    const edited = inContent(answer.body, (body) => withoutNextPage(body, headers));
    return edited && { status, ...edited };
  }
  const edited = inContent(answer.body, (body) => editBody(effect, body, random));
  return edited && { ...edited, status };
}

/** Envelopes that repeat the status of their answer repeat the other one. */
function withStatus(
  edited: EditedBody,
  { from, to }: { readonly from: number; readonly to: number },
): EditedAnswer {
  const told = isJsonObject(edited.body) ? edited.body.status : undefined;
  if (told === from) return { ...edited, status: to, body: withValue(edited.body, ['status'], to) };
  if (told !== String(from)) return { ...edited, status: to };
  return { ...edited, status: to, body: withValue(edited.body, ['status'], String(to)) };
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
 * Edits what a body says. The parts of a result of the Model Context Protocol hold JSON as a text, or a file:
 * the first of these texts in which there is something to edit is edited then, files before others.
 */
function inContent<Edited extends EditedBody>(
  body: Json,
  edit: (body: Json) => Edited | null,
): Edited | null {
  const texts = textsOf(body);
  if (texts === null) return edit(body);
  for (const { place, text } of texts) {
    const inner = parsed(text);
    const edited = edit(inner === undefined ? text : inner);
    if (!edited) continue;
    const isText = inner === undefined && typeof edited.body === 'string';
    const said = isText ? (edited.body as string) : JSON.stringify(edited.body);
    return { ...edited, body: withValue(body, place, said) };
  }
  return null;
}

/** The texts in the parts of a result, those of files first; null for what is no such result. */
function textsOf(body: Json): readonly { readonly place: Place; readonly text: string }[] | null {
  const content = isJsonObject(body) ? body.content : undefined;
  if (!Array.isArray(content)) return null;
  const within = (part: Json, ...names: string[]) => {
    const text = valueIn(part, names);
    return typeof text === 'string' ? [{ names, text }] : [];
  };
  const found = content.flatMap((part: Json, index) =>
    [...within(part, 'resource', 'text'), ...within(part, 'text')].map(({ names, text }) => ({
      place: ['content', index, ...names],
      text,
    })),
  );
  return found.sort((one, other) => other.place.length - one.place.length);
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
  const isFile = said !== body && parsed(text) === undefined;
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
      return form === 'json' && !isFile ? `${text.slice(0, -1)},<html>` : null;
  }
}

/** What an answer says: the first text of a result that has such, else all of it. */
function textOf(body: Json): Json {
  return textsOf(body)?.[0]?.text ?? body;
}
