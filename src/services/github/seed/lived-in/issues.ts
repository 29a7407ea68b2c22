import { momentText } from '../../moments.ts';
import type { Account } from '../../schema/accounts.ts';
import type { Issue } from '../../schema/issues.ts';
import { DAY_MS, HOUR_MS } from './scene.ts';
import type { Story } from './story.ts';
import { OCCASIONS, REMARKS, SYMPTOMS, WISHES } from './words.ts';

/** Writes one issue with labels, people, comments, and its end if it has one. */
export function writeIssue(
  story: Story,
  {
    atMs,
    isRecent,
    milestones,
  }: {
    readonly atMs: number;
    readonly isRecent: boolean;
    readonly milestones: readonly number[];
  },
): Issue {
  const { scene, code } = story;
  const { random, tx } = scene;
  const isBug = random.chance(0.65);
  const module = random.pick(code.modules);
  const by = scene.somebody();
  const isClosed = random.chance(isRecent ? 0.2 : 0.85);
  const milestone_id = random.chance(0.3) ? (milestones[isClosed ? 0 : 1] ?? null) : null;
  const closedMs = atMs + random.integer(1, 40) * DAY_MS;
  const closer = scene.somebody();
  const reason = random.chance(0.85) ? 'completed' : 'not_planned';
  const isOver = isClosed && closedMs < scene.epochMs;
  const issue = story.issue({
    kind: 'issue',
    ...(isBug ? bug(story, module) : wish(story, module)),
    user_id: by.id,
    created_at: momentText(atMs),
    milestone_id,
    ...(isOver && {
      state: 'closed',
      state_reason: reason,
      closed_at: momentText(closedMs),
      updated_at: momentText(closedMs),
      closed_by_id: closer.id,
    }),
  });
  if (milestone_id !== null) count(story, milestone_id, isOver);
  if (random.chance(0.8)) story.label(issue, labelsOf(story, isBug));
  if (random.chance(0.4)) {
    tx.issue_assignees.insert({ issue_id: issue.id, user_id: scene.somebody().id, position: 1 });
  }
  discuss(story, issue, { atMs, untilMs: isOver ? closedMs : scene.epochMs });
  if (isOver) closeEvent(story, issue, { by: closer, reason });
  return issue;
}

function bug({ scene }: Story, module: string): Pick<Issue, 'title' | 'body'> {
  const { random } = scene;
  const [symptom, occasion] = [random.pick(SYMPTOMS), random.pick(OCCASIONS)];
  const steps = `1. Start with the defaults.\n2. Use the ${module}.\n3. It ${symptom} ${occasion}.`;
  return { title: `${module} ${symptom} ${occasion}`, body: `### What happens\n\n${steps}\n` };
}

function wish({ scene }: Story, module: string): Pick<Issue, 'title' | 'body'> {
  const what = scene.random.pick(WISHES);
  return { title: `Give the ${module} ${what}`, body: `It would help to have ${what} here.\n` };
}

function labelsOf({ scene }: Story, isBug: boolean): string[] {
  const { random } = scene;
  return [
    isBug ? 'bug' : 'enhancement',
    ...(random.chance(0.15) ? ['priority: high'] : []),
    ...(isBug && random.chance(0.1) ? ['regression'] : []),
    ...(random.chance(0.1) ? ['good first issue'] : []),
  ];
}

function count({ scene }: Story, milestone_id: number, isOver: boolean): void {
  const milestone = scene.tx.milestones.get(milestone_id);
  if (!milestone) return;
  scene.tx.milestones.update(milestone_id, {
    open_issues: milestone.open_issues + (isOver ? 0 : 1),
    closed_issues: milestone.closed_issues + (isOver ? 1 : 0),
  });
}

/** Comments, one after the other, while the issue is open. */
export function discuss(
  { scene, repository }: Story,
  issue: Issue,
  { atMs, untilMs }: { readonly atMs: number; readonly untilMs: number },
): void {
  const { random, tx, plan } = scene;
  const wanted = random.integer(0, plan.commentsMost);
  let written = 0;
  let sayMs = atMs;
  for (; written < wanted; written += 1) {
    sayMs += random.integer(2, 60) * HOUR_MS;
    if (sayMs >= untilMs) break;
    const moment = momentText(sayMs);
    tx.issue_comments.insert({
      id: scene.id('issue_comments'),
      issue_id: issue.id,
      repository_id: repository.id,
      user_id: scene.somebody().id,
      author_association: 'MEMBER',
      body: random.pick(REMARKS),
      created_at: moment,
      updated_at: moment,
    });
  }
  if (written === 0) return;
  const spoken = momentText(Math.min(sayMs, untilMs));
  tx.issues.update(issue.id, { comments: written, ...(issue.state === 'open' && { updated_at: spoken }) });
}

export function closeEvent(
  { scene, repository }: Story,
  issue: Issue,
  { by, reason }: { readonly by: Account; readonly reason: string | null },
): void {
  scene.tx.issue_events.insert({
    id: scene.id('issue_events'),
    issue_id: issue.id,
    repository_id: repository.id,
    event: 'closed',
    actor_id: by.id,
    commit_id: null,
    details: { state_reason: reason },
    created_at: issue.closed_at ?? issue.updated_at,
  });
}
