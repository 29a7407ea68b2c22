/** Styles of differences, verdicts, flaky scenarios, blame, and the tips of figures. */
export const DIFFERENCES_STYLE = `
.term { color: inherit; text-decoration: underline dotted var(--soft); text-underline-offset: 3px;
  cursor: help; }
.term:hover { text-decoration-color: var(--link); text-decoration-style: solid; }
#tip { position: fixed; z-index: 2; max-width: min(340px, calc(100vw - 16px)); padding: 8px 11px;
  border-radius: 7px; background: var(--tip); color: var(--tip-ink); font-size: 13px; line-height: 1.45;
  box-shadow: 0 3px 14px rgb(0 0 0 / .25); }
#tip[hidden] { display: none; }
.definitions dt { color: var(--ink); font-weight: 600; } .definitions dd { max-width: 76ch; }
.plotted { margin: 18px 0 4px; } .plotted .soft { font-weight: 400; font-size: 14px; }

.signed .zero { position: absolute; left: 50%; top: -3px; bottom: -3px; width: 2px; margin-left: -1px;
  background: var(--soft); }
.unshown { position: absolute; top: 0; bottom: 0; background: repeating-linear-gradient(135deg,
  var(--line) 0 3px, var(--bar) 3px 6px); }
.change { position: absolute; top: 0; bottom: 0; } .change.gain { background: var(--pass); }
.change.loss { background: var(--fail); }
.verdict { white-space: nowrap; } .verdict.better, .verdict.pass { color: var(--pass); }
.verdict.worse, .verdict.fail { color: var(--fail); }
.verdict.inconclusive, .verdict.infrastructure { color: var(--warn); }
.refused { border-left: 4px solid var(--warn); padding: 2px 0 2px 12px; }
.changes-by-scenario, .flakes, .checks { list-style: none; padding: 0; margin: 6px 0; }
.changes-by-scenario li { display: grid; gap: 2px 18px; align-items: center; padding: 5px 0;
  grid-template-columns: minmax(0, 300px) minmax(80px, 1fr) 92px 128px;
  border-bottom: 1px solid var(--line); }
.changes-by-scenario .track { max-width: none; border-radius: 2px; margin: 0; }
.changes-by-scenario .count { text-align: right; } .changes-by-scenario .parted { grid-column: 1 / -1; }
.changes-by-scenario details { padding-top: 6px; }
.tag.flip { border-color: var(--warn); color: var(--warn); font-weight: 600; }
.flakes { display: grid; gap: 0 48px;
  grid-template-columns: repeat(auto-fill, minmax(min(320px, 100%), 1fr)); }
.flakes li { display: grid; grid-template-columns: minmax(0, 1fr) 96px 56px; gap: 12px; align-items: center;
  padding: 2px 0; font-size: 14px; }
.flakes .count { text-align: right; }
.checks li { display: grid; grid-template-columns: 112px 1fr; gap: 12px; padding: 6px 0;
  border-bottom: 1px solid var(--line); }
.blamed { margin: 8px 0 2px; padding: 7px 10px; border-radius: 6px; background: var(--panel);
  font-size: 14px; }
.blamed.decisive { border-left: 4px solid var(--warn); }
.others { margin-left: 6px; font-size: 13px; }
@media (max-width: 720px) {
  .changes-by-scenario li { grid-template-columns: minmax(0, 1fr) auto auto; gap: 2px 12px; padding: 8px 0; }
  .changes-by-scenario .scenario { grid-column: 1 / -1; }
  .checks li { grid-template-columns: minmax(0, 1fr); gap: 2px; }
}
@media print { #tip { display: none; } .change, .unshown { print-color-adjust: exact; } }
`;
