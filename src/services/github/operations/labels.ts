import { z } from 'zod';
import { momentText } from '../moments.ts';
import { operation, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { issueAt, touch } from '../rules/issues.ts';
import {
  labelEvents,
  labelNamed,
  labelsCalled,
  newLabel,
  PLAIN_COLOR,
  putLabels,
  setLabels,
} from '../rules/labels.ts';
import { DESCRIPTION_MOST, LABEL_MOST, requireShort } from '../rules/lengths.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import type { Issue } from '../schema/issues.ts';
import type { Repository } from '../schema/repositories.ts';
import { labelsOf, labelView, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

const LABEL = shown('id', 'name', 'color');
const LABELS = listOf('id', 'name', 'color');
const ISSUE = { ...REPOSITORY, issue_number: z.int() };
const COLOR = /^[0-9a-f]{6}$/iu;

const listLabels = operation({
  id: 'issues/list-labels-for-repo',
  summary: 'Lists the labels of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/labels' },
  input: z.looseObject({ ...REPOSITORY, ...PAGE }),
  output: LABELS,
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const items = [...ctx.tx.labels.by('by_name', [repository.id])];
    const path = numberedPath(repository, '/labels');
    return paged(ctx, input, { items, path, show: (label) => labelView(place, label) });
  },
});

const createLabel = operation({
  id: 'issues/create-label',
  summary: 'Makes a label in a repository.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/labels', status: 201 },
  input: z.looseObject({
    ...REPOSITORY,
    name: z.string(),
    color: z.string().optional(),
    description: z.string().nullish(),
  }),
  output: LABEL,
  example: { owner: 'octo-works', repo: 'lamp', name: 'flicker', color: 'f29513' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const { name, description = null } = input;
    const color = colorOf(ctx, input.color ?? PLAIN_COLOR);
    requireFit(ctx, name, description);
    if (labelNamed(ctx, repository, name)) taken(ctx);
    const view = labelView(placeOf(ctx, repository), newLabel(ctx, repository, { name, color, description }));
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

function colorOf(ctx: Writing, wished: string): string {
  const color = wished.replace(/^#/u, '');
  if (!COLOR.test(color) || wished.startsWith('#')) {
    ctx.fail('validation_failed', { errors: [{ resource: 'Label', code: 'invalid', field: 'color' }] });
  }
  return color;
}

/** 422 for a name of nothing, and for words that are too long. */
function requireFit(ctx: Writing, name: string | undefined, description: string | null | undefined): void {
  if (name?.trim() === '') {
    ctx.fail('validation_failed', { errors: [{ resource: 'Label', code: 'missing_field', field: 'name' }] });
  }
  requireShort(ctx, { text: name, most: LABEL_MOST, resource: 'Label', field: 'name' });
  const described = { resource: 'Label', field: 'description' };
  requireShort(ctx, { text: description, most: DESCRIPTION_MOST, ...described });
}

function taken(ctx: Writing): never {
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'Label', code: 'already_exists', field: 'name' }],
  });
}

const getLabel = operation({
  id: 'issues/get-label',
  summary: 'Reads a label of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/labels/{name*}' },
  input: z.looseObject({ ...REPOSITORY, name: z.string() }),
  output: LABEL,
  example: { owner: 'octo-works', repo: 'lamp', name: 'bug' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const label = labelNamed(ctx, repository, input.name) ?? ctx.fail('not_found');
    ctx.reply({ facts: { modified: label.updated_at } });
    return labelView(placeOf(ctx, repository), label);
  },
});

const updateLabel = operation({
  id: 'issues/update-label',
  summary: 'Changes the name, colour or description of a label.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/labels/{name*}' },
  input: z.looseObject({
    ...REPOSITORY,
    name: z.string(),
    new_name: z.string().optional(),
    color: z.string().optional(),
    description: z.string().nullish(),
  }),
  output: LABEL,
  example: { owner: 'octo-works', repo: 'lamp', name: 'bug', color: 'cc0000' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const label = labelNamed(ctx, repository, input.name) ?? ctx.fail('not_found');
    const { new_name: name } = input;
    requireFit(ctx, name, input.description);
    const namesake = name === undefined ? undefined : labelNamed(ctx, repository, name);
    if (namesake && namesake.id !== label.id) taken(ctx);
    const changed = ctx.tx.labels.update(label.id, {
      ...(name !== undefined && { name, name_key: name.toLowerCase() }),
      ...(input.color !== undefined && { color: colorOf(ctx, input.color) }),
      ...(input.description !== undefined && { description: input.description }),
      updated_at: momentText(ctx.nowMs),
    });
    return labelView(placeOf(ctx, repository), changed);
  },
});

const deleteLabel = operation({
  id: 'issues/delete-label',
  summary: 'Deletes a label, and takes it off every issue.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/labels/{name*}', status: 204 },
  input: z.looseObject({ ...REPOSITORY, name: z.string() }),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', name: 'wontfix' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const label = labelNamed(ctx, repository, input.name) ?? ctx.fail('not_found');
    ctx.tx.labels.delete(label.id);
    return null;
  },
});

/** The labels of an issue as all calls that change them answer, unpaged. */
function shownLabels(ctx: Writing, repository: Repository, issue: Issue) {
  const place = placeOf(ctx, repository);
  return labelsOf(ctx, issue).map((label) => labelView(place, label));
}

const listOnIssue = operation({
  id: 'issues/list-labels-on-issue',
  summary: 'Lists the labels of an issue or pull.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/issues/{issue_number}/labels' },
  input: z.looseObject({ ...ISSUE, ...PAGE }),
  output: LABELS,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1 },
  run(ctx, input) {
    const { repository, issue } = issueAt(ctx, input);
    const place = placeOf(ctx, repository);
    const path = numberedPath(repository, `/issues/${issue.number}/labels`);
    const items = labelsOf(ctx, issue);
    ctx.reply({ facts: { modified: issue.updated_at } });
    return paged(ctx, input, {
      items,
      path,
      inPath: ['issue_number'],
      show: (label) => labelView(place, label),
    });
  },
});

/** Labels in a body: a list of names or of objects with a name, bare or as the member `labels`. */
const NAMES = z.union([
  z.array(z.union([z.string(), z.looseObject({ name: z.string() })])),
  z.looseObject({ labels: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).optional() }),
]);

function namesOf(labels: z.infer<typeof NAMES> | undefined): string[] {
  const list = Array.isArray(labels) ? labels : (labels?.labels ?? []);
  return list.map((label) => (typeof label === 'string' ? label : label.name));
}

function changeLabels(
  ctx: Writing,
  input: { owner: string; repo: string; issue_number: number },
  change: (found: { repository: Repository; issue: Issue }) => void,
) {
  const found = issueAt(ctx, input);
  requireRole(ctx, found.repository, 'triage');
  change(found);
  touch(ctx, found.issue);
  return shownLabels(ctx, found.repository, found.issue);
}

const addLabels = operation({
  id: 'issues/add-labels',
  summary: 'Puts labels on an issue or pull; answers with all that it has then.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/issues/{issue_number}/labels', bareBody: 'labels' },
  input: z.looseObject({ ...ISSUE, labels: NAMES.optional() }),
  output: LABELS,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, labels: ['bug'] },
  run: (ctx, input) =>
    changeLabels(ctx, input, ({ repository, issue }) => {
      const labels = labelsCalled(ctx, repository, namesOf(input.labels));
      labelEvents(ctx, issue, { labeled: putLabels(ctx, issue, labels) });
    }),
});

const replaceLabels = operation({
  id: 'issues/set-labels',
  summary: 'Makes the labels of an issue or pull exactly these.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/issues/{issue_number}/labels', bareBody: 'labels' },
  input: z.looseObject({ ...ISSUE, labels: NAMES.optional() }),
  output: LABELS,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, labels: ['question'] },
  run: (ctx, input) => changeLabels(ctx, input, ({ issue }) => setLabels(ctx, issue, namesOf(input.labels))),
});

const removeLabel = operation({
  id: 'issues/remove-label',
  summary: 'Takes a label off an issue or pull; answers with those that are left.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{issue_number}/labels/{name*}' },
  input: z.looseObject({ ...ISSUE, name: z.string() }),
  output: LABELS,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1, name: 'bug' },
  run: (ctx, input) =>
    changeLabels(ctx, input, ({ repository, issue }) => {
      const label = labelNamed(ctx, repository, input.name);
      if (!label || !ctx.tx.issue_labels.has([issue.id, label.id])) {
        return ctx.fail('absent', { message: 'Label does not exist' });
      }
      ctx.tx.issue_labels.delete([issue.id, label.id]);
      labelEvents(ctx, issue, { unlabeled: [label] });
      return undefined;
    }),
});

const removeAllLabels = operation({
  id: 'issues/remove-all-labels',
  summary: 'Takes all labels off an issue or pull.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/issues/{issue_number}/labels', status: 204 },
  input: z.looseObject(ISSUE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', issue_number: 1 },
  run(ctx, input) {
    changeLabels(ctx, input, ({ issue }) => setLabels(ctx, issue, []));
    return null;
  },
});

export const labelOperations = [
  listLabels,
  createLabel,
  getLabel,
  updateLabel,
  deleteLabel,
  listOnIssue,
  addLabels,
  replaceLabels,
  removeLabel,
  removeAllLabels,
];
