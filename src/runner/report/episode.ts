import type { StoredTrial } from '../../store/run-folder.ts';
import type { EndReason, MessageRecord, Trajectory } from '../../trajectory/index.ts';
import { usageText } from '../run-usage.ts';
import { blameMarkup } from './blame-markup.ts';
import { showCommand } from './commands.ts';
import { countText } from './figure-text.ts';
import { type Finding, findingsByStep, findingsOf } from './findings.ts';
import { html, type Markup } from './markup.ts';
import { anchorOf, OUTCOME_SIGNS, outcomeOf } from './outcome.ts';
import type { ReadBlame } from './read-blame.ts';
import type { ReportRun } from './read-run.ts';
import { findingMarkup, stepLink, stepMarkup } from './step.ts';

/** A trial as the page shows it. */
interface Episode {
  readonly run: ReportRun;
  readonly trial: StoredTrial;
  readonly trajectory: Trajectory;
  readonly findings: readonly Finding[];
  readonly blame: ReadBlame;
  readonly anchor: string;
  /** Indexes of the steps that are shown. */
  readonly shown: ReadonlySet<number>;
}

/** One trial step by step, folded, and the indexes of the steps that it shows. */
export function episodeMarkup(options: {
  readonly run: ReportRun;
  readonly trial: StoredTrial;
  readonly trajectory: Trajectory;
  /** Trials that failed in the same way and are not shown themselves. */
  readonly alike: readonly StoredTrial[];
}): { readonly markup: Markup; readonly steps: ReadonlySet<number> } {
  const { run, trial, trajectory, alike } = options;
  const findings = findingsOf(trial.score);
  const blame = run.blameOf(trial, trajectory);
  const shown = stepsShown(trajectory, findings, blame);
  const episode: Episode = { run, trial, trajectory, findings, blame, anchor: anchorOf(run, trial), shown };
  return { markup: folded(episode, alike), steps: shown };
}

function folded(episode: Episode, alike: readonly StoredTrial[]): Markup {
  const { run, trial, trajectory, findings, anchor } = episode;
  const outcome = outcomeOf(trial.score);
  const also =
    alike.length > 0 &&
    html`<p class="soft">${alike.length === 1 ? 'Trial' : 'Trials'} ${listed(alike)} broke the same checks
at the same steps.</p>`;
  return html`<details class="episode ${outcome}" data-run="${run.index}" data-outcome="${outcome}">
<summary><span class="sign ${outcome}" aria-hidden="true">${OUTCOME_SIGNS[outcome]}</span>
<span><strong>${trial.scenario}</strong> <span class="soft">trial ${trial.trial}${
    alike.length > 0 && `, and ${alike.length} alike`
  }</span>
<span class="reason">${reasonOf(trial, findings)}</span></span></summary>
<div class="inside" id="${anchor}">
${also}${taskMarkup(trajectory)}${brokenMarkup(episode)}
<h4>Step by step</h4>
<ol class="timeline">${timeline(episode)}</ol>
${ending(trajectory)}
<p class="soft commands">The whole of it: <code>${showCommand(run, trial)} --full</code></p>
</div></details>
`;
}

function listed(trials: readonly StoredTrial[]): string {
  return trials.map(({ trial }) => trial).join(', ');
}

function reasonOf({ score }: StoredTrial, findings: readonly Finding[]): Markup {
  if (score.void) return html`void, ${score.void.reason}: ${score.void.detail}`;
  const first = score.firstFailure ?? findings[0];
  if (!first) return html`failed`;
  const step = 'step' in first ? first.step : (first.steps[0] ?? null);
  return html`<span class="tag">${first.check}</span>${step !== null && html` step ${step}:`}
${first.message}`;
}

function taskMarkup({ header }: Trajectory): Markup | null {
  if (!header.task) return null;
  return html`<h4>Task</h4><p class="said">${header.task.text.trim()}</p>`;
}

/** The failed checks by where they broke, and what blame says. */
function brokenMarkup({ findings, blame, anchor, shown }: Episode): Markup {
  const link = (step: number): Markup => stepLink(step, { anchor, shown });
  const blamed = blameMarkup(blame, link);
  if (findings.length === 0) return html`${blamed}`;
  const byStep = findingsByStep(findings);
  const inTheEnd = byStep.get(null) ?? [];
  const places = [...byStep].flatMap(([step, { length: count }]) =>
    step === null ? [] : [html`${link(step)}${count > 1 && ` (${count} checks)`}`],
  );
  const more = inTheEnd.length - FINDINGS_SHOWN;
  return html`<h4>What broke</h4>${
    places.length > 0 &&
    html`<p>At ${joined(places.slice(0, PLACES_SHOWN))}${
      places.length > PLACES_SHOWN && ` and ${places.length - PLACES_SHOWN} more steps`
    }.</p>`
  }
${inTheEnd.slice(0, FINDINGS_SHOWN).map((finding) => findingMarkup(finding))}
${more > 0 && html`<p class="soft">and ${more} more</p>`}${blamed}`;
}

function joined(parts: readonly Markup[]): Markup {
  return html`${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}`;
}

const PLACES_SHOWN = 20;
const FINDINGS_SHOWN = 12;
const FIRST_STEPS = 16;
const LAST_STEPS = 4;
const AROUND_FINDING = 2;
const STEPS_SHOWN = 60;

/** Steps worth showing of a long episode: how it began, what broke with its surroundings, how it ended. */
function stepsShown(
  trajectory: Trajectory,
  findings: readonly Finding[],
  blame: ReadBlame,
): ReadonlySet<number> {
  const count = trajectory.steps.length;
  const shown = new Set<number>();
  const add = (from: number, to: number): void => {
    for (let step = Math.max(0, from); step < Math.min(count, to); step += 1) shown.add(step);
  };
  add(0, FIRST_STEPS);
  add(count - LAST_STEPS, count);
  const blamed = blame !== null && 'decisive' in blame ? blame.decisive : null;
  if (blamed !== null) add(blamed.step - AROUND_FINDING, blamed.step + AROUND_FINDING + 1);
  for (const { steps } of findings) {
    const [decisive] = steps;
    if (decisive === undefined || shown.size > STEPS_SHOWN) continue;
    add(decisive - AROUND_FINDING, decisive + AROUND_FINDING + 1);
  }
  return shown;
}

function timeline({ run, trial, trajectory, findings, blame, anchor, shown }: Episode): Markup[] {
  const broke = findingsByStep(findings);
  const command = showCommand(run, trial);
  const messages = Map.groupBy(trajectory.messages, ({ afterStep }) => afterStep);
  const entries: Markup[] = [];
  let skipped = 0;
  const closeGap = (): void => {
    if (skipped > 0)
      entries.push(
        html`<li class="gap">${countText(skipped, 'step')} left out: <code>${command}</code></li>`,
      );
    skipped = 0;
  };
  for (const step of trajectory.steps) {
    if (!shown.has(step.index)) {
      skipped += 1;
      continue;
    }
    closeGap();
    entries.push(...(messages.get(step.index) ?? []).map(messageMarkup));
    entries.push(stepMarkup(step, { findings: broke.get(step.index) ?? [], blame, anchor, shown }));
  }
  closeGap();
  entries.push(...(messages.get(trajectory.steps.length) ?? []).map(messageMarkup));
  return entries;
}

function messageMarkup({ role, text }: MessageRecord): Markup {
  return html`<li class="message ${role}"><span class="who">${role}</span>
<p class="said">${cutText(text)}</p></li>`;
}

const ENDS: Readonly<Record<EndReason, string>> = {
  answer: 'The agent answered',
  'budget-calls': 'The budget of calls was spent',
  'budget-messages': 'The budget of messages was spent',
  'budget-clock': 'The budget of virtual time was spent',
  'agent-stopped': 'The agent stopped without an answer',
  'agent-crashed': 'The agent crashed',
  'agent-timeout': 'The agent took too long',
  'agent-protocol': 'The agent broke the protocol',
  'user-ended': 'The user ended the conversation',
  infrastructure: 'The world broke: this says nothing about the agent',
};

function ending({ end }: Trajectory): Markup {
  if (!end) return html`<h4>The trajectory was cut short</h4>`;
  const used = usageText(end.usage, end.usage.model ?? '');
  return html`<h4>${ENDS[end.reason]}</h4>
${end.answer !== null && html`<p class="said answer">${cutText(end.answer)}</p>`}
${end.detail !== undefined && html`<p class="said">${cutText(end.detail)}</p>`}
${used !== null && html`<p>${used}</p>`}`;
}

const TEXT_SHOWN = 4_000;

function cutText(text: string): string {
  const more = text.length - TEXT_SHOWN;
  return more > 0 ? `${text.slice(0, TEXT_SHOWN)}… (${more} more characters)` : text;
}
