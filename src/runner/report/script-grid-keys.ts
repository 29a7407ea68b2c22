/**
 * The grid of trials as one stop of the tab key: arrow keys walk through its cells, Home and End go to the
 * ends of a row, with Control to the corners. Without script its links are stops of their own.
 */
export const GRID_KEYS_SCRIPT = `
const gridTable = document.querySelector('table.grid');
gridTable.setAttribute('role', 'grid');
for (const cell of gridTable.querySelectorAll('td')) cell.setAttribute('role', 'gridcell');
const gridCells = all('table.grid .cell');
for (const cell of gridCells) cell.tabIndex = -1;

// Rows of visible cells, as they stand on the page.
const gridRows = () => [...gridTable.querySelectorAll('tr[data-text]:not([hidden])')]
  .map((row) => [...row.querySelectorAll('.cell')].filter((cell) => !cell.closest('td').hidden))
  .filter((row) => row.length > 0);

let stop = null;
const moveStop = (cell) => {
  if (stop) stop.tabIndex = -1;
  stop = cell;
  if (stop) stop.tabIndex = 0;
};
// The filter may have hidden the cell that the tab key stops at.
const keepStop = () => {
  const rows = gridRows();
  if (!rows.some((row) => row.includes(stop))) moveStop(rows[0] ? rows[0][0] : null);
};

gridTable.addEventListener('focusin', (event) => {
  const cell = event.target.closest('.cell');
  if (cell) moveStop(cell);
});
gridTable.addEventListener('keydown', (event) => {
  const cell = event.target.closest('.cell');
  if (!cell || event.altKey || event.metaKey) return;
  const rows = gridRows();
  const y = rows.findIndex((row) => row.includes(cell));
  if (y < 0) return;
  const x = rows[y].indexOf(cell);
  const last = (row) => row.length - 1;
  const to = {
    ArrowLeft: () => rows[y][x - 1],
    ArrowRight: () => rows[y][x + 1],
    ArrowUp: () => rows[y - 1] && rows[y - 1][Math.min(x, last(rows[y - 1]))],
    ArrowDown: () => rows[y + 1] && rows[y + 1][Math.min(x, last(rows[y + 1]))],
    Home: () => (event.ctrlKey ? rows[0][0] : rows[y][0]),
    End: () => (event.ctrlKey ? rows.at(-1).at(-1) : rows[y].at(-1)),
  }[event.key];
  if (!to) return;
  event.preventDefault();
  const target = to();
  if (target) target.focus();
});`;
