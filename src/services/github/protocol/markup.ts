import { isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { htmlOf, textOfHtml } from './markdown.ts';

/** Forms in which bodies can be asked for; `raw` is what everybody gets. */
const FORMS = ['full', 'html', 'text'] as const;
type Form = (typeof FORMS)[number];

/**
 * An answer with the bodies of all that people wrote in the forms that were asked for: as HTML, as plain
 * text, or in all of them beside the Markdown.
 */
export function inForms(body: Json, forms: readonly string[]): Json {
  const form = FORMS.find((name) => forms.includes(name));
  return form === undefined ? body : rewritten(body, form);
}

function rewritten(value: Json, form: Form): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => rewritten(item, form));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    if (name === 'body' && isWritten(value)) return bodiesOf(member ?? null, form);
    return member === undefined ? [] : [[name, rewritten(member, form)]];
  });
  return Object.fromEntries(members);
}

/** Whether the body of an object is what somebody wrote. */
function isWritten(object: JsonObject): boolean {
  const { body } = object;
  return (typeof body === 'string' || body === null) && ('user' in object || 'author' in object);
}

function bodiesOf(body: Json, form: Form): [string, Json][] {
  const html = typeof body === 'string' ? htmlOf(body) : null;
  const text = html === null ? null : textOfHtml(html);
  const bodies = { body_html: html, body_text: text };
  if (form === 'html') return [['body_html', html]];
  if (form === 'text') return [['body_text', text]];
  return [...Object.entries(bodies), ['body', body]];
}
