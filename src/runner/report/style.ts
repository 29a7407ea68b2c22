/** The report's one style sheet and script, inlined so that the file opens from disk with nothing beside it. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1d2733; --soft: #55616e; --line: #d5dbe1; --ground: #ffffff;
  --panel: #f5f7f9; --pass: #1f7a4d; --fail: #b3261e; --void: #6b5b95; --accent: #1a5fb4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaee; --soft: #a9b4bf; --line: #39434d; --ground: #14191e;
  --panel: #1c2329; --pass: #5fc893; --fail: #ff8a80; --void: #b9a7ea; --accent: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
main, header, footer { max-width: 1080px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 32px; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 19px; margin: 40px 0 8px; }
h3 { font-size: 16px; margin: 20px 0 6px; }
p { margin: 6px 0 12px; } .soft { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 6px 10px; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { border-bottom: 2px solid var(--line); } tbody th { font-weight: 500; }
td .low { color: var(--soft); font-size: 13px; display: block; }
code, pre { font: 12.5px/1.45 ui-monospace, monospace; }
pre { background: var(--panel); padding: 10px; overflow-x: auto; margin: 6px 0; white-space: pre-wrap;
  overflow-wrap: anywhere; }
.grid { border-collapse: separate; border-spacing: 3px; width: auto; }
.grid td, .grid th { border: 0; padding: 0 6px; }
.cell { display: inline-block; width: 22px; height: 22px; border-radius: 4px; text-align: center; line-height: 22px;
  font-size: 13px; color: var(--ground); font-weight: 700; text-decoration: none; }
.cell.pass { background: var(--pass); } .cell.fail { background: var(--fail); } .cell.void { background: var(--void); }
.verdict-pass { color: var(--pass); } .verdict-fail { color: var(--fail); } .verdict-void { color: var(--void); }
details { border: 1px solid var(--line); border-radius: 8px; margin: 8px 0; background: var(--ground); }
summary { cursor: pointer; padding: 8px 12px; } details > div { padding: 0 12px 12px; }
.step { border-left: 3px solid var(--line); padding: 4px 0 4px 12px; margin: 6px 0; }
.step.broke { border-left-color: var(--fail); } .step .number { color: var(--soft); }
svg text { fill: var(--ink); font: 13px system-ui, sans-serif; } svg .soft { fill: var(--soft); }
svg .axis { stroke: var(--line); } a { color: var(--accent); }
ul { padding-left: 20px; } footer { padding: 32px 20px; color: var(--soft); font-size: 13px; }
`;
