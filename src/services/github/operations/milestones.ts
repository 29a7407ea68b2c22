import { z } from 'zod';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { freshId } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import { requireViewer } from '../rules/viewer.ts';
import type { Milestone } from '../schema/issues.ts';
import { labelsOf, labelView, milestoneView, placeOf } from '../views/issues.ts';
import { numberedPath } from '../views/repositories.ts';
import { REPOSITORY } from './repositories.ts';

const MILESTONE = shown('id', 'number', 'title');
const MILESTONE_PLACE = { ...REPOSITORY, milestone_number: z.int() };
const CONTENT = {
  state: z.enum(['open', 'closed']).optional(),
  description: z.string().nullish(),
  due_on: z.string().nullish(),
};

function milestoneAt(ctx: Reading, input: { owner: string; repo: string; milestone_number: number }) {
  const repository = repositoryAt(ctx, input);
  const milestone = ctx.tx.milestones.unique('by_number', [repository.id, input.milestone_number]);
  return { repository, milestone: milestone ?? ctx.fail('not_found') };
}

/** Up to then a due day was kept as its first moment in California; now it is kept as it is sent. */
const MIDNIGHT_SINCE_MS = Date.UTC(2025, 0, 1);
const CALIFORNIA_MS = 7 * 3_600_000;

function dueOn(ctx: Writing, text: string | null | undefined): string | null | undefined {
  if (text === undefined || text === null || text === '') return text === undefined ? undefined : null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) {
    ctx.fail('validation_failed', { errors: [{ resource: 'Milestone', code: 'invalid', field: 'due_on' }] });
  }
  if (ctx.nowMs >= MIDNIGHT_SINCE_MS) return momentText(ms);
  return `${momentText(ms - CALIFORNIA_MS).slice(0, 10)}T07:00:00Z`;
}

const createMilestone = operation({
  id: 'issues/create-milestone',
  summary: 'Makes a milestone.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/milestones', status: 201 },
  input: z.looseObject({ ...REPOSITORY, title: z.string(), ...CONTENT }),
  output: MILESTONE,
  example: { owner: 'octo-works', repo: 'lamp', title: 'Spring' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const all = [...ctx.tx.milestones.by('by_number', [repository.id])];
    requireTitle(ctx, input.title);
    if (all.some(({ title }) => title === input.title)) taken(ctx);
    const moment = momentText(ctx.nowMs);
    const state = input.state ?? 'open';
    const milestone = ctx.tx.milestones.insert({
      id: freshId(ctx, 'milestones'),
      repository_id: repository.id,
      number: (all.at(-1)?.number ?? 0) + 1,
      title: input.title,
      description: input.description ?? null,
      state,
      creator_id: requireViewer(ctx).id,
      due_on: dueOn(ctx, input.due_on) ?? null,
      open_issues: 0,
      closed_issues: 0,
      created_at: moment,
      updated_at: moment,
      closed_at: state === 'closed' ? moment : null,
    });
    const view = milestoneView(ctx, placeOf(ctx, repository), milestone);
    ctx.reply({ facts: { location: view.url ?? null } });
    return view;
  },
});

function requireTitle(ctx: Writing, title: string | undefined): void {
  if (title === undefined || title.trim() !== '') return;
  ctx.fail('validation_failed', {
    errors: [{ resource: 'Milestone', code: 'missing_field', field: 'title' }],
  });
}

function taken(ctx: Writing): never {
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'Milestone', code: 'already_exists', field: 'title' }],
  });
}

const listMilestones = operation({
  id: 'issues/list-milestones',
  summary: 'Lists milestones: the open ones, the next due first, unless told otherwise.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/milestones' },
  input: z.looseObject({
    ...REPOSITORY,
    state: z.enum(['open', 'closed', 'all']).optional(),
    sort: z.string().optional(),
    direction: z.enum(['asc', 'desc']).optional(),
    ...PAGE,
  }),
  output: listOf('id', 'number', 'title'),
  example: { owner: 'octo-works', repo: 'lamp' },
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const place = placeOf(ctx, repository);
    const { state = 'open', direction = 'asc' } = input;
    const sort = input.sort === 'completeness' ? 'completeness' : 'due_on';
    const items = [...ctx.tx.milestones.by('by_number', [repository.id])]
      .filter((milestone) => state === 'all' || milestone.state === state)
      .sort((one, other) => compareMilestones(one, other, sort));
    if (direction === 'desc') items.reverse();
    const path = numberedPath(repository, '/milestones');
    return paged(ctx, input, { items, path, show: (milestone) => milestoneView(ctx, place, milestone) });
  },
});

/** By due day, those without one last; or by the share that is closed. */
function compareMilestones(one: Milestone, other: Milestone, sort: 'due_on' | 'completeness'): number {
  const [first, second] = sort === 'due_on' ? [dueOf(one), dueOf(other)] : [doneOf(one), doneOf(other)];
  return first === second ? one.number - other.number : first < second ? -1 : 1;
}

function dueOf({ due_on }: Milestone): number {
  return due_on === null ? Number.MAX_SAFE_INTEGER : Date.parse(due_on);
}

function doneOf({ open_issues, closed_issues }: Milestone): number {
  const all = open_issues + closed_issues;
  return all === 0 ? 0 : closed_issues / all;
}

const getMilestone = operation({
  id: 'issues/get-milestone',
  summary: 'Reads a milestone.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/milestones/{milestone_number}' },
  input: z.looseObject(MILESTONE_PLACE),
  output: MILESTONE,
  example: { owner: 'octo-works', repo: 'lamp', milestone_number: 1 },
  run(ctx, input) {
    const { repository, milestone } = milestoneAt(ctx, input);
    return milestoneView(ctx, placeOf(ctx, repository), milestone);
  },
});

const updateMilestone = operation({
  id: 'issues/update-milestone',
  summary: 'Changes a milestone, or closes or opens it.',
  effect: 'write',
  http: { method: 'PATCH', path: '/repos/{owner}/{repo}/milestones/{milestone_number}' },
  input: z.looseObject({ ...MILESTONE_PLACE, title: z.string().optional(), ...CONTENT }),
  output: MILESTONE,
  example: { owner: 'octo-works', repo: 'lamp', milestone_number: 1, state: 'closed' },
  run(ctx, input) {
    const { repository, milestone } = milestoneAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    const moment = momentText(ctx.nowMs);
    const due_on = dueOn(ctx, input.due_on);
    const { title, state, description } = input;
    const changed = ctx.tx.milestones.update(milestone.id, {
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(due_on !== undefined && { due_on }),
      ...(state !== undefined &&
        state !== milestone.state && { state, closed_at: state === 'closed' ? moment : null }),
      updated_at: moment,
    });
    return milestoneView(ctx, placeOf(ctx, repository), changed);
  },
});

const deleteMilestone = operation({
  id: 'issues/delete-milestone',
  summary: 'Deletes a milestone; its issues stay, without one.',
  effect: 'write',
  http: { method: 'DELETE', path: '/repos/{owner}/{repo}/milestones/{milestone_number}', status: 204 },
  input: z.looseObject(MILESTONE_PLACE),
  output: nothing,
  example: { owner: 'octo-works', repo: 'lamp', milestone_number: 1 },
  run(ctx, input) {
    const { repository, milestone } = milestoneAt(ctx, input);
    requireRole(ctx, repository, 'triage');
    ctx.tx.milestones.delete(milestone.id);
    return null;
  },
});

const listLabels = operation({
  id: 'issues/list-labels-for-milestone',
  summary: 'Lists the labels on the issues of a milestone.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/milestones/{milestone_number}/labels' },
  input: z.looseObject({ ...MILESTONE_PLACE, ...PAGE }),
  output: listOf('id', 'name', 'color'),
  example: { owner: 'octo-works', repo: 'lamp', milestone_number: 1 },
  run(ctx, input) {
    const { repository, milestone } = milestoneAt(ctx, input);
    const place = placeOf(ctx, repository);
    const issues = [...ctx.tx.issues.by('by_milestone', [milestone.id])];
    const labels = new Map(issues.flatMap((issue) => labelsOf(ctx, issue)).map((label) => [label.id, label]));
    const path = numberedPath(repository, `/milestones/${milestone.number}/labels`);
    const show = (label: Parameters<typeof labelView>[1]) => labelView(place, label);
    return paged(ctx, input, { items: [...labels.values()], path, inPath: ['milestone_number'], show });
  },
});

export const milestoneOperations = [
  createMilestone,
  listMilestones,
  getMilestone,
  updateMilestone,
  deleteMilestone,
  listLabels,
];
