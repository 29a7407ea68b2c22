/**
 * Tips on hover and on focus: what a figure counts, what a trial of the grid was. A tip stays while the
 * pointer is on it, and Escape takes it away. Its text stands on the page already, as a description or a
 * label.
 */
export const TIPS_SCRIPT = `
const tip = document.getElementById('tip');
for (const cell of gridCells) {
  cell.dataset.tip = cell.title;
  cell.setAttribute('aria-description', cell.title);
  cell.removeAttribute('title');
}
const tipOf = (element) => {
  if (element.dataset.tip) return element.dataset.tip;
  return document.getElementById(element.getAttribute('aria-describedby')).textContent;
};
const ownerOf = (target) => target.closest && target.closest('.term, .cell[data-tip]');

let owner = null;
const showTip = (element) => {
  owner = element;
  tip.textContent = tipOf(element);
  tip.hidden = false;
  const place = element.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const left = Math.min(place.left, document.documentElement.clientWidth - size.width - 8);
  const below = place.bottom + size.height + 8 < innerHeight || place.top < size.height + 8;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = (below ? place.bottom + 2 : place.top - size.height - 2) + 'px';
};
const hideTip = () => {
  owner = null;
  tip.hidden = true;
};

addEventListener('pointerover', (event) => {
  const element = ownerOf(event.target);
  if (element) showTip(element);
  else if (owner && event.target !== tip && owner !== document.activeElement) hideTip();
});
addEventListener('focusin', (event) => {
  const element = ownerOf(event.target);
  if (element && element.matches(':focus-visible')) showTip(element);
});
addEventListener('focusout', hideTip);
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') hideTip();
});
addEventListener('scroll', () => {
  if (!owner) return;
  if (owner === document.activeElement || owner.matches(':hover')) showTip(owner);
  else hideTip();
}, { capture: true, passive: true });
addEventListener('hashchange', hideTip);`;
