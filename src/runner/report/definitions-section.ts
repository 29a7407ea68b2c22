import { DEFINITIONS, type DefinedFigure } from '../../scoring/definitions.ts';
import { html, type Markup } from './markup.ts';

/**
 * A figure's name that says what it counts: by a tip on hover and on focus, by its description for screen
 * readers, and, without script, by a link to the definition.
 */
export function term(figure: DefinedFigure, label: string = DEFINITIONS[figure].name): Markup {
  return html`<a class="term" href="#def-${figure}" aria-describedby="def-${figure}">${label}</a>`;
}

/** What every figure of the page counts; the one place that all names point to. */
export function definitionsSection(): Markup {
  return html`<section><h2 id="definitions">What the figures count</h2>
<dl class="definitions">${Object.entries(DEFINITIONS).map(
    ([figure, { name, text }]) => html`<dt>${name}</dt><dd id="def-${figure}" tabindex="-1">${text}</dd>
`,
  )}</dl></section>`;
}
