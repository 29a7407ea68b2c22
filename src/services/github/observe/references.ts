import type { JsonObject } from '../../../service/index.ts';
import { htmlOf, textOfHtml } from '../protocol/markdown.ts';
import { accountCalled } from './accounts.ts';
import { blankIssue, UNSEEN_MOMENT } from './issues.ts';
import { nullableTextIn, type Sight, textIn } from './sight.ts';

const ISSUE =
  /data-id="(\d+)"[^>]*?data-url="https:\/\/github\.com\/([^/"]+)\/([^/"]+)\/(issues|pull)\/(\d+)"/gu;
const CLOSED =
  /aria-label="This pull request closes issue #(\d+)\.">\w+<\/span>\s*<a [^>]*?data-id="(\d+)"/gu;
const PERSON = /data-hovercard-url="\/users\/([\w-]+)\/hovercard"/gu;

/** Issues, pulls and people that a rendered text leads to were there. */
export function seeReferences(sight: Sight, object: JsonObject): void {
  const html = textIn(object, 'body_html') ?? '';
  for (const [, login = ''] of html.matchAll(PERSON)) accountCalled(sight, login);
  for (const [, id, owner, name, kind, number] of html.matchAll(ISSUE)) {
    thereIs(sight, `${owner}/${name}`, { id: Number(id), number: Number(number), isPull: kind === 'pull' });
  }
  const here = /\/repos\/([^/]+\/[^/]+)\//u.exec(textIn(object, 'url') ?? '')?.[1] ?? '';
  for (const [, number, id] of html.matchAll(CLOSED)) {
    thereIs(sight, here, { id: Number(id), number: Number(number), isPull: false });
  }
}

/** An issue of which nothing is known but that it is there: closed, so that it is in no usual list. */
function thereIs(
  sight: Sight,
  repository: string,
  { id, number, isPull }: { readonly id: number; readonly number: number; readonly isPull: boolean },
): void {
  const { tx } = sight;
  const [owner = '', name = ''] = repository.split('/');
  const owner_id = tx.accounts.unique('by_login', [owner.toLowerCase()])?.id;
  const home =
    owner_id === undefined ? undefined : tx.repositories.unique('by_name', [owner_id, name.toLowerCase()]);
  if (!home || tx.issues.has(id) || tx.issues.unique('by_number', [home.id, number])) return;
  if (sight.isMade('issues', id) || sight.isMade('issues', [home.id, number])) return;
  sight.learn('issues', id, {
    blank: blankIssue({ id, repository_id: home.id, number, user_id: null }),
    columns: { kind: isPull ? 'pull' : 'issue', state: 'closed', closed_at: UNSEEN_MOMENT },
  });
}

/** Recordings cut texts at this length. */
const CUT = 300;

/**
 * What somebody wrote, as far as an answer tells: where the Markdown was cut, the plain text beside it may go
 * on longer.
 */
export function bodyIn(object: JsonObject): string | null | undefined {
  const body = nullableTextIn(object, 'body');
  const text = textIn(object, 'body_text');
  if (typeof body !== 'string' || body.length < CUT || text === undefined) return body;
  const known = textOfHtml(htmlOf(body));
  return text.startsWith(known) ? body.trimEnd() + text.slice(known.length) : body;
}
