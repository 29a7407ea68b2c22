import { momentText } from '../moments.ts';
import type { Reading, Writing } from '../operation.ts';
import type { Issue, Label } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { freshId } from './ids.ts';
import { addEvent } from './issues.ts';
import { isLonger, LABEL_MOST } from './lengths.ts';

/** The labels that a new repository has: name, colour, description. */
export const DEFAULT_LABELS: readonly (readonly [name: string, color: string, description: string])[] = [
  ['bug', 'd73a4a', "Something isn't working"],
  ['documentation', '0075ca', 'Improvements or additions to documentation'],
  ['duplicate', 'cfd3d7', 'This issue or pull request already exists'],
  ['enhancement', 'a2eeef', 'New feature or request'],
  ['good first issue', '7057ff', 'Good for newcomers'],
  ['help wanted', '008672', 'Extra attention is needed'],
  ['invalid', 'e4e669', "This doesn't seem right"],
  ['question', 'd876e3', 'Further information is requested'],
  ['wontfix', 'ffffff', 'This will not be worked on'],
];
const DEFAULT_NAMES = new Set(DEFAULT_LABELS.map(([name]) => name));

/** What a label made by naming it looks like. */
export const PLAIN_COLOR = 'ededed';

/** The label of a name in a repository, whatever the case of its letters. */
export function labelNamed(
  { tx }: Reading,
  repository: Pick<Repository, 'id'>,
  name: string,
): Label | undefined {
  return tx.labels.unique('by_name', [repository.id, name.toLowerCase()]);
}

/** Makes a label; the name must be free. */
export function newLabel(
  ctx: Writing,
  repository: Pick<Repository, 'id'>,
  {
    name,
    color,
    description,
  }: { readonly name: string; readonly color: string; readonly description: string | null },
): Label {
  return ctx.tx.labels.insert({
    id: freshId(ctx, 'labels'),
    repository_id: repository.id,
    name,
    name_key: name.toLowerCase(),
    color,
    is_default: DEFAULT_NAMES.has(name),
    description,
    updated_at: momentText(ctx.nowMs),
  });
}

/** The labels that every new repository begins with. */
export function addDefaultLabels(ctx: Writing, repository: Repository): void {
  for (const [name, color, description] of DEFAULT_LABELS) {
    newLabel(ctx, repository, { name, color, description });
  }
}

/** Labels of one issue, at most. */
const LABELS_MOST = 100;

function tooMany(ctx: Writing): never {
  const message = `Validation Failed. Issues cannot have more than ${LABELS_MOST} labels`;
  return ctx.fail('unprocessable', { message, errors: [] });
}

/** The labels of these names; those that are not there are made. */
export function labelsCalled(
  ctx: Writing,
  repository: Pick<Repository, 'id'>,
  names: readonly string[],
): Label[] {
  if (new Set(names).size > LABELS_MOST) tooMany(ctx);
  const odd = names.find((name) => name.trim() === '' || isLonger(name, LABEL_MOST));
  if (odd !== undefined) {
    ctx.fail('validation_failed', {
      errors: [{ value: odd, resource: 'Label', field: 'name', code: 'invalid' }],
    });
  }
  return names.map(
    (name) =>
      labelNamed(ctx, repository, name) ??
      newLabel(ctx, repository, { name, color: PLAIN_COLOR, description: null }),
  );
}

/** Puts labels on an issue; those that are on it stay. Gives the ones that were not. */
export function putLabels(ctx: Writing, issue: Issue, labels: readonly Label[]): Label[] {
  const { tx } = ctx;
  const added = labels.filter((label) => !tx.issue_labels.has([issue.id, label.id]));
  const count = [...tx.issue_labels.by('by_issue', [issue.id])].length + new Set(added).size;
  if (count > LABELS_MOST) tooMany(ctx);
  for (const label of new Set(added)) tx.issue_labels.insert({ issue_id: issue.id, label_id: label.id });
  return [...new Set(added)];
}

/** Writes events of labels that were put on or taken off. */
export function labelEvents(
  ctx: Writing,
  issue: Issue,
  changes: { readonly labeled?: readonly Label[]; readonly unlabeled?: readonly Label[] },
): void {
  for (const event of ['unlabeled', 'labeled'] as const) {
    for (const { name, color } of changes[event] ?? []) {
      addEvent(ctx, issue, { event, details: { label: { name, color } } });
    }
  }
}

/** Makes the labels of an issue exactly these. */
export function setLabels(ctx: Writing, issue: Issue, names: readonly string[]): void {
  const wanted = new Map(
    labelsCalled(ctx, { id: issue.repository_id }, names).map((label) => [label.id, label]),
  );
  const before = [...ctx.tx.issue_labels.by('by_issue', [issue.id])];
  const unlabeled = before.flatMap(({ label_id }) =>
    wanted.has(label_id) ? [] : (ctx.tx.labels.get(label_id) ?? []),
  );
  for (const label of unlabeled) ctx.tx.issue_labels.delete([issue.id, label.id]);
  labelEvents(ctx, issue, { unlabeled, labeled: putLabels(ctx, issue, [...wanted.values()]) });
}
