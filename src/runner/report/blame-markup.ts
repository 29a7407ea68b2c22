import { term } from './definitions-section.ts';
import { percentText } from './figure-text.ts';
import { html, type Markup } from './markup.ts';
import type { BlamedTrial, ReadBlame } from './read-blame.ts';

/** What blame says of a whole trial, before its steps. */
export function blameMarkup(blame: ReadBlame, linkTo: (step: number) => Markup): Markup | null {
  if (blame === null) return null;
  if ('unreadable' in blame) return html`<p class="soft">No ${term('blame')}: ${blame.unreadable}.</p>`;
  const { decisive, reason } = blame;
  const name = term('blame', 'Blame');
  if (decisive === null) return html`<p>${name}: ${reason ?? 'no step is decisive'}.</p>`;
  const change = changeText(blame, decisive.step);
  return html`<p>${name} names ${linkTo(decisive.step)}, <strong>${decisive.tool}</strong>${
    change !== null && `: success of going on ${change}`
  }. From then on: ${decisive.reason}.</p>`;
}

/** What a step did to the success of whatever follows; nothing where it changed nothing. */
export function stepBlameMarkup(blame: ReadBlame, step: number): Markup | null {
  if (blame === null || 'unreadable' in blame) return null;
  const change = changeText(blame, step);
  if (blame.decisive?.step === step) {
    return html`<div class="blamed decisive"><span class="tag"><span aria-hidden="true">⚑ </span>decisive
step</span> success of going on ${change ?? 'falls here'}</div>`;
  }
  if (change === null) return null;
  return html`<div class="blamed"><span class="tag">blame</span> success of going on ${change}</div>`;
}

/** `falls from 100.0 % to 0.0 %`; null where nothing changes, or one side is not known. */
function changeText({ steps }: BlamedTrial, step: number): string | null {
  const found = steps.find((one) => one.step === step);
  if (!found || found.before === null || found.after === null || found.before === found.after) return null;
  const verb = found.after < found.before ? 'falls' : 'rises';
  return `${verb} from ${percentText(found.before)} to ${percentText(found.after)}`;
}
