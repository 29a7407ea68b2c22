import { type Completion, isJsonObject, type Json, type JsonObject } from '../../../service/index.ts';
import { htmlOf, textOfHtml } from './markdown.ts';
import { type Names, withReferences } from './references.ts';

/** Forms in which bodies can be asked for; `raw` is what everybody gets. */
const FORMS = ['full', 'html', 'text'] as const;
type Form = (typeof FORMS)[number];

/** What is looked up while bodies are rendered. */
type Tables = Completion['table'];

/**
 * An answer with the bodies of all that people wrote in the forms that were asked for: as HTML, as plain
 * text, or in all of them beside the Markdown.
 */
export function inForms(body: Json, forms: readonly string[], table: Tables): Json {
  const form = FORMS.find((name) => forms.includes(name));
  return form === undefined ? body : rewritten(body, form, table);
}

function rewritten(value: Json, form: Form, table: Tables): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => rewritten(item, form, table));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    if (name === 'body' && isWritten(value)) return bodiesOf(member ?? null, form, namesFor(value, table));
    return member === undefined ? [] : [[name, rewritten(member, form, table)]];
  });
  return Object.fromEntries(members);
}

/** Whether the body of an object is what somebody wrote. */
function isWritten(object: JsonObject): boolean {
  const { body } = object;
  return (typeof body === 'string' || body === null) && ('user' in object || 'author' in object);
}

function bodiesOf(body: Json, form: Form, names: Names): [string, Json][] {
  const html = typeof body === 'string' ? withReferences(htmlOf(body), names) : null;
  const text = html === null ? null : textOfHtml(html);
  if (form === 'html') return [['body_html', html]];
  if (form === 'text') return [['body_text', text]];
  return [
    ['body_html', html],
    ['body_text', text],
    ['body', body],
  ];
}

/** What names in a body lead to, seen from the repository that its object is in. */
function namesFor(object: JsonObject, table: Tables): Names {
  const here = /\/repos\/([^/]+\/[^/]+)\//u.exec(String(object.url ?? object.pull_request_url))?.[1];
  const account = (login: string) => table('accounts').unique('by_login', [login.toLowerCase()]);
  return {
    isPull: 'merged_at' in object,
    login: (name) => account(name)?.login as string | undefined,
    issue(word, number) {
      const repository = word ?? here;
      const [owner = '', name = ''] = repository?.split('/') ?? [];
      const owner_id = account(owner)?.id as number | undefined;
      if (repository === undefined || owner_id === undefined) return undefined;
      const row = table('repositories').unique('by_name', [owner_id, name.toLowerCase()]);
      const issue = row && table('issues').unique('by_number', [row.id as number, number]);
      if (!issue) return undefined;
      const kind = issue.kind === 'pull' ? 'pull' : 'issue';
      return { id: issue.id as number, kind, repository, number, isHere: repository === here };
    },
  };
}
