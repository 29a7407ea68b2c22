import { GRID_KEYS_SCRIPT } from './script-grid-keys.ts';
import { TIPS_SCRIPT } from './script-tips.ts';

/**
 * The page's only script, inlined; everything can be read without it. It opens the episode that a link leads
 * to, works the filter, shows tips, and lets the arrow keys walk through the grid of trials.
 */
export const SCRIPT = `
'use strict';
const form = document.getElementById('filter');
const all = (selector) => [...document.querySelectorAll(selector)];

const openTarget = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const episode = target && target.closest('details.episode');
  if (!episode) return;
  if (episode.hidden) {
    form.reset();
    filter();
  }
  episode.open = true;
  const inside = target.classList.contains('inside');
  if (inside) episode.querySelector('summary').focus({ preventScroll: true });
  (inside ? episode : target).scrollIntoView();
};
addEventListener('hashchange', openTarget);
// A second click on the same link changes no hash.
addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link && link.getAttribute('href') === location.hash) setTimeout(openTarget);
});

const texts = new WeakMap();
const textOf = (element) => {
  if (!texts.has(element)) texts.set(element, element.textContent.toLowerCase());
  return texts.get(element);
};

const filter = () => {
  const run = form.elements.run.value;
  const outcome = form.elements.outcome.value;
  const text = form.elements.text.value.trim().toLowerCase();
  for (const part of all('.grid [data-run]')) part.hidden = run !== '' && part.dataset.run !== run;
  const grid = document.querySelector('table.grid');
  grid.style.setProperty('--runs', run === '' ? String(form.elements.run.options.length - 1) : '1');
  let episodes = 0;
  for (const episode of all('details.episode')) {
    const { dataset } = episode;
    episode.hidden = (run !== '' && dataset.run !== run) || (outcome !== '' && dataset.outcome !== outcome)
      || (text !== '' && !textOf(episode).includes(text));
    if (!episode.hidden) episodes += 1;
  }
  for (const part of all('.of-run')) part.hidden = !part.querySelector('details.episode:not([hidden])');
  let rows = 0;
  for (const body of grid.tBodies) {
    let shown = 0;
    for (const row of body.querySelectorAll('tr[data-text]')) {
      let cells = 0;
      for (const cell of row.querySelectorAll('.cell')) {
        const fits = outcome === '' || cell.dataset.outcome === outcome;
        cell.classList.toggle('dim', !fits);
        if (fits && !cell.closest('td').hidden) cells += 1;
      }
      const hash = [...row.querySelectorAll('a.cell')].map((cell) => cell.getAttribute('href').slice(1));
      const found = row.dataset.text.includes(text) || hash.some((id) => {
        const inside = document.getElementById(id);
        return inside && !inside.closest('details.episode').hidden;
      });
      row.hidden = cells === 0 || !found;
      if (!row.hidden) shown += 1;
    }
    body.hidden = shown === 0;
    rows += shown;
  }
  form.querySelector('output').textContent = rows + (rows === 1 ? ' scenario, ' : ' scenarios, ')
    + episodes + (episodes === 1 ? ' trial' : ' trials') + ' step by step';
  keepStop();
};
${GRID_KEYS_SCRIPT}
${TIPS_SCRIPT}

form.hidden = false;
form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
form.addEventListener('reset', () => setTimeout(filter));
filter();
openTarget();
`;
