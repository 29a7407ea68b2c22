import type { Writing } from '../operation.ts';

/** Characters of a title, of a body, of a label's name and of its description, at most. */
const TITLE_MOST = 256;
export const BODY_MOST = 65_536;
export const LABEL_MOST = 50;
export const DESCRIPTION_MOST = 100;

/** 422 for a text that is longer than GitHub keeps. */
export function requireShort(
  ctx: Writing,
  { text, most, ...at }: { text: unknown; most: number; resource: string; field: string },
): void {
  if (typeof text !== 'string' || !isLonger(text, most)) return;
  const message = `${at.field} is too long (maximum is ${most} characters)`;
  ctx.fail('validation_failed', {
    errors: [{ resource: at.resource, code: 'custom', field: at.field, message }],
  });
}

/** Whether a text has more characters than that, however many units each takes. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && [...text].length > most;
}

/** 422 for an issue or pull whose words are too long. */
export function requireIssueFit(
  ctx: Writing,
  { title, body }: { readonly title?: unknown; readonly body?: unknown },
): void {
  requireShort(ctx, { text: title, most: TITLE_MOST, resource: 'Issue', field: 'title' });
  requireShort(ctx, { text: body, most: BODY_MOST, resource: 'Issue', field: 'body' });
}
