import type { Json } from '../../base/json.ts';
import type { StepRecord } from '../../trajectory/index.ts';
import { stepBlameMarkup } from './blame-markup.ts';
import { changesMarkup, valueText } from './changes.ts';
import type { Finding } from './findings.ts';
import { html, type Markup } from './markup.ts';
import type { ReadBlame } from './read-blame.ts';

const PREVIEW_CHARACTERS = 96;
const INPUT_CHARACTERS = 600;
const ANSWER_CHARACTERS = 1_600;
const VALUE_CHARACTERS = 200;

/** The id of a step on the page. */
export function stepAnchor(episode: string, step: number): string {
  return `${episode}-step-${step}`;
}

/** Which steps of an episode have an anchor. */
export interface StepAnchors {
  /** The episode's. */
  readonly anchor: string;
  readonly shown: ReadonlySet<number>;
}

/** A link to a step; its number alone where it is left out. */
export function stepLink(step: number, { anchor, shown }: StepAnchors): Markup {
  return shown.has(step) ? html`<a href="#${stepAnchor(anchor, step)}">step ${step}</a>` : html`step ${step}`;
}

/** A call with what came of it: fault, answer, changed rows, the checks that broke here, and blame. */
export function stepMarkup(
  step: StepRecord,
  options: StepAnchors & { readonly findings: readonly Finding[]; readonly blame: ReadBlame },
): Markup {
  const { findings, blame, anchor } = options;
  const error = step.error ? ` ${step.error.code}` : '';
  return html`<li class="step ${findings.length > 0 && 'broke'}" id="${stepAnchor(anchor, step.index)}">
<div class="call"><span class="number"><span class="unseen">step </span>${step.index}</span>
<strong>${step.tool}</strong>
<code>${inputText(step)}</code>
<span class="status ${step.outcome === 'ok' ? 'ok' : 'error'}">${step.outcome} ${step.status}${error}</span>
${step.batch !== undefined && html` <span class="soft">in one turn with others</span>`}
${(step.waited ?? 0) > 0 && html` <span class="soft">after waiting ${step.waited} ms</span>`}</div>
${step.fault && html`<p class="fault"><span class="tag">fault</span> ${step.fault.label}</p>`}
${answerMarkup(step)}${changesMarkup(step.diff)}${findings.map((finding) =>
  findingMarkup(finding, options),
)}${stepBlameMarkup(blame, step.index)}</li>
`;
}

/** What a check says, with both sides where it has them, and the other steps that it is about. */
export function findingMarkup(
  { check, steps, message, expected, got }: Finding,
  anchors: StepAnchors = NO_STEPS,
): Markup {
  const others = steps.slice(1, 1 + OTHERS_NAMED);
  const side = (name: string, value: Json | undefined): Markup | null => {
    // Many messages quote the value already.
    if (value === undefined || message.includes(valueText(value))) return null;
    return html`<span>${name} <code>${cut(valueText(value), VALUE_CHARACTERS)}</code></span>`;
  };
  const sides = [side('expected', expected), side('got', got)].filter((one) => one !== null);
  return html`<div class="finding"><span aria-hidden="true">✗ </span><span class="tag">${check}</span>
${message}
${
  others.length > 0 &&
  html`<span class="others">with ${others.map(
    (other, index) => html`${index > 0 && ', '}${stepLink(other, anchors)}`,
  )}</span>`
}
${sides.length > 0 && html`<div class="sides">${sides}</div>`}</div>`;
}

const OTHERS_NAMED = 5;
const NO_STEPS: StepAnchors = { anchor: '', shown: new Set() };

function inputText(step: StepRecord): string {
  if (step.malformed !== undefined) return `(no JSON) ${cut(step.malformed, INPUT_CHARACTERS)}`;
  const { input } = step;
  if (input === null || typeof input !== 'object' || Array.isArray(input))
    return cut(valueText(input), INPUT_CHARACTERS);
  const members = Object.entries(input).map(([name, value]) => `${name}: ${valueText(value ?? null)}`);
  return cut(members.join(', '), INPUT_CHARACTERS);
}

/** One answer where both sides saw the same; both where a fault made them differ. */
function answerMarkup(step: StepRecord): Markup {
  if (!step.delivered) return folded('answer', step.response);
  const { lost, reset, broken, status, body } = step.delivered;
  return html`<div class="both">
<div><span class="label">what truly happened: ${step.status}</span>${pretty(step.response)}</div>
<div><span class="label">what the agent was given: ${lost ? 'nothing' : status}</span>${
    lost ? html`<p>${reset ? RESET : LOST}</p>` : broken ? html`<pre>${String(body)}</pre>` : pretty(body)
  }</div></div>`;
}

const LOST = 'The answer was lost on its way.';
const RESET = 'The connection was reset.';

function folded(label: string, value: Json): Markup {
  const whole = JSON.stringify(value);
  if (whole.length <= PREVIEW_CHARACTERS)
    return html`<div class="short"><span class="soft">${label}</span> <code>${whole}</code></div>`;
  return html`<details><summary><span class="soft">${label}</span>
<code>${cut(whole, PREVIEW_CHARACTERS)}</code></summary>${pretty(value)}</details>`;
}

function pretty(value: Json): Markup {
  return html`<pre>${cut(JSON.stringify(value, null, 1), ANSWER_CHARACTERS)}</pre>`;
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
