import { html, type Markup } from './markup.ts';

/** A difference of shares in percentage points, with its sign: `−22.5 points`. */
export function pointsText(difference: number): string {
  return `${signed(difference)} points`;
}

/** The same without the unit: `−22.5`. */
export function signed(difference: number): string {
  const points = (Math.abs(difference) * 100).toFixed(1);
  if (Number(points) === 0) return '0.0';
  return `${difference < 0 ? '−' : '+'}${points}`;
}

/** What a track shows: the ends are missing where there is no interval. */
interface Shown {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * A difference on a line from −reach to reach with 0 in its middle; a picture of what stands beside it in
 * words.
 * @param options.mde hatched around 0: what could not have been shown
 * @param options.bar drawn from 0 to the value, in the colours of gain and loss, in place of a point
 */
export function differenceTrack(
  { value, low, high }: Shown,
  options: { readonly reach: number; readonly mde: number | null; readonly bar?: boolean },
): Markup {
  const { reach, mde, bar = false } = options;
  const at = (share: number): number => Math.min(100, Math.max(0, 50 + (50 * share) / reach));
  const span = (from: number, to: number, kind: string): Markup =>
    html`<span class="${kind}" style="left:${at(from).toFixed(2)}%;width:${(at(to) - at(from)).toFixed(2)}%"></span>`;
  const inside = bar
    ? span(Math.min(0, value), Math.max(0, value), `change ${value < 0 ? 'loss' : 'gain'}`)
    : html`${low !== null && high !== null && span(low, high, 'range')}<span class="dot"
style="left:${at(value).toFixed(2)}%"></span>`;
  return html`<span class="track signed" aria-hidden="true">${
    mde !== null && span(-mde, mde, 'unshown')
  }<span class="zero"></span>${inside}</span>`;
}

/** The axis below such tracks. */
export function differenceAxis(reach: number): Markup {
  const ticks = [-1, -0.5, 0, 0.5, 1].map((part) => ({ part, points: part * reach * 100 }));
  return html`<li class="axis" aria-hidden="true"><span></span><span class="track">${ticks.map(
    ({ part, points }) =>
      html`<span class="tick" style="left:${50 + 50 * part}%">${points > 0 && '+'}${
        points < 0 ? `−${-points}` : points
      }</span>`,
  )}</span><span>points</span></li>`;
}
