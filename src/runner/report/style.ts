import { DIFFERENCES_STYLE } from './style-differences.ts';

/** The report's one style sheet, inlined so that the file opens from disk with nothing beside it. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b242d; --soft: #56626e; --line: #d9dfe5; --ground: #ffffff;
  --panel: #f4f6f8;
  --pass: #18794e; --pass-ground: #dcf1e5; --fail: #b42318; --fail-ground: #fdeceb; --void: #6941a5;
  --void-ground: #efe8fa; --warn: #8a5300; --link: #1a5fb4; --bar: #e6eaee;
  --tip: #1b242d; --tip-ink: #ffffff;
  --series-0: #1a5fb4; --series-1: #a2540b; --series-2: #8b3a8f; --series-3: #2f6f6a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebef; --soft: #a6b1bc; --line: #353f49;
  --ground: #13181d;
  --panel: #1b2229; --pass: #6bd3a0; --pass-ground: #173527; --fail: #ff9389; --fail-ground: #451c1b;
    --void: #c5b0f2;
  --void-ground: #33284b; --warn: #f0b65f; --link: #8ab8ff; --bar: #2a333c;
  --tip: #e7ebef; --tip-ink: #13181d;
  --series-0: #82b1ff; --series-1: #f4a65c; --series-2: #dd93e0; --series-3: #6fc7bf; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 12px; }
body { margin: 0; font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; color: var(--ink);
  background: var(--ground); overflow-wrap: anywhere; -webkit-text-size-adjust: 100%; }
main, header, footer { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 36px; } footer { padding-top: 40px; padding-bottom: 40px; color: var(--soft);
  font-size: 13px; }
h1 { font-size: 27px; line-height: 1.25; letter-spacing: -.01em; margin: 0 0 6px; }
h2 { font-size: 20px; line-height: 1.3; letter-spacing: -.005em; margin: 52px 0 8px; }
h3 { font-size: 16px; margin: 26px 0 8px; } h4 { font-size: 13px; margin: 18px 0 6px; color: var(--soft); }
p { margin: 6px 0 12px; max-width: 76ch; } a { color: var(--link); text-underline-offset: 2px; }
.soft, .low { color: var(--soft); } .low { display: block; font-size: 12.5px; line-height: 1.4;
  font-weight: 400; }
code, pre { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--panel); border-radius: 6px; padding: 10px 12px; margin: 6px 0;
  white-space: pre-wrap; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; padding: 0; margin: 14px 0 0; }
nav a { display: inline-block; padding: 3px 0; }
.banner { border: 1px solid var(--warn); border-left-width: 5px; border-radius: 6px; padding: 10px 14px;
  margin: 18px 0 0; }
.series-0 { --series: var(--series-0); } .series-1 { --series: var(--series-1); }
.series-2 { --series: var(--series-2); } .series-3 { --series: var(--series-3); }
.marker { color: var(--series); }

.plot { list-style: none; padding: 0; margin: 10px 0 4px; }
.plot li { display: grid; grid-template-columns: minmax(90px, 160px) 1fr 130px; gap: 22px;
  align-items: center;
  padding: 7px 0; }
.plot .name { font-weight: 600; } .plot strong { font-size: 20px; font-variant-numeric: tabular-nums; }
.track { position: relative; display: block; height: 8px; margin: 5px 0; border-radius: 4px;
  background: var(--bar);
  max-width: 150px; }
.plot .track { height: 12px; border-radius: 6px; margin: 0 8px; max-width: none; }
.range { position: absolute; top: 0; bottom: 0; border-radius: inherit;
  background: var(--series, var(--link)); opacity: .45; }
.dot { position: absolute; top: 50%; width: 9px; height: 9px; margin: -4.5px 0 0 -4.5px; border-radius: 50%;
  background: var(--series, var(--link)); }
.plot .dot { width: 18px; height: 18px; margin: -9px 0 0 -9px; border: 2px solid var(--ground); }
.plot .axis { padding: 0; color: var(--soft); font-size: 12px; }
.plot .axis .track { background: none; height: 18px; }
.tick { position: absolute; transform: translateX(-50%); white-space: nowrap; }

.scroll { overflow-x: auto; }
.matrix { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
.matrix th, .matrix td { text-align: left; vertical-align: top; padding: 8px 14px 8px 0;
  border-bottom: 1px solid var(--line); }
.matrix thead th { border-bottom: 2px solid var(--line); font-weight: 600; }
.matrix .corner { color: var(--soft); }
.matrix tbody th { font-weight: 500; min-width: 150px; } .matrix .value { font-weight: 500; display: block; }
.matrix.figures { table-layout: fixed; min-width: calc(190px + var(--runs) * 130px); }
.matrix.figures .corner { width: 220px; }
.matrix.bars { table-layout: fixed; } .matrix.bars th, .matrix.bars td { padding-top: 5px;
  padding-bottom: 5px; }
.matrix.bars th .low { display: inline; margin-left: 8px; }
.bars .bar { display: inline-block; width: 55%; vertical-align: middle; margin: 0 8px 0 0; }
.faults { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
.faults th, .faults td { text-align: left; vertical-align: top; padding: 7px 14px 7px 0;
  border-bottom: 1px solid var(--line); min-width: 60px; }
.faults td { position: relative; } .faults caption { text-align: left; font-weight: 600; padding: 6px 0; }
.faults .value { font-weight: 500; display: block; }
.matrix.small { font-size: 14px; } .matrix.small tbody th { min-width: 64px; }
.bar { display: block; height: 9px; border-radius: 5px; background: var(--bar); overflow: hidden;
  max-width: 220px;
  margin: 6px 0 2px; }
.fill { display: block; height: 100%; } .fill.pass { background: var(--pass); }
.fill.fail { background: var(--fail); }
.count { font-size: 12.5px; color: var(--soft); font-variant-numeric: tabular-nums; }
.beside { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 32px;
  align-items: start; }
.curve { width: 100%; max-width: 560px; height: auto; }
svg text { fill: var(--ink); font: 12.5px system-ui, sans-serif; } svg text.soft { fill: var(--soft); }
svg text[class^=series] { font-weight: 600; fill: var(--series); }
svg .axis { stroke: var(--line); } svg polyline { fill: none; stroke: var(--series); stroke-width: 2.5; }
svg circle, svg rect, svg polygon { fill: var(--series); stroke: var(--ground); stroke-width: 1.5; }

.tag { display: inline-block; background: var(--panel); border: 1px solid var(--line); border-radius: 5px;
  padding: 0 6px;
  font-size: 12.5px; line-height: 1.5; font-weight: 600; color: var(--ink); }
.firsts { list-style: none; padding: 0; margin: 0; }
.firsts li { display: grid; grid-template-columns: 130px 1fr; gap: 18px; padding: 8px 0;
  border-bottom: 1px solid var(--line); }
.firsts .words { margin-left: 4px; }

.legend { display: flex; flex-wrap: wrap; gap: 6px 18px; align-items: center; max-width: none; }
.legend .cell { margin: 0 3px 0 0; }
.cell { display: inline-flex; width: 26px; height: 26px; margin: 0 4px 4px 0; border-radius: 6px;
  align-items: center;
  justify-content: center; font-size: 13px; font-weight: 700; text-decoration: none;
    print-color-adjust: exact; }
.cell.pass { color: var(--pass); background: var(--pass-ground); }
.cell.fail { color: var(--ground); background: var(--fail); }
.cell.void { color: var(--void); background: var(--void-ground); border: 1px dashed var(--void); }
a.cell:hover { outline: 2px solid var(--ink); outline-offset: 1px; }
.cell.dim { background: none; color: var(--soft); border: 1px dotted var(--line); }
.matrix.grid th, .matrix.grid td { border: 0; padding: 3px 18px 1px 0; vertical-align: middle; }
.matrix.grid thead th { padding-bottom: 6px; border-bottom: 2px solid var(--line); }
.matrix.grid td { line-height: 0; } .matrix.grid td .soft { line-height: 1.4; font-size: 12.5px; }
.matrix.grid tbody th { font-weight: 400; } .matrix.grid .group th { font-weight: 600; }
.matrix.grid .group th, .matrix.grid .group td { padding-top: 16px; }
.filter { display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: end; padding: 12px 14px;
  margin: 8px 0 14px;
  background: var(--panel); border-radius: 8px; }
.filter[hidden], [hidden] { display: none !important; }
.filter label { display: grid; gap: 3px; font-size: 12.5px; color: var(--soft); }
.filter .wide { flex: 1 1 180px; }
.filter select, .filter input, .filter button { font: inherit; font-size: 14px; color: var(--ink);
  background: var(--ground);
  border: 1px solid var(--soft); border-radius: 6px; padding: 5px 9px; min-height: 34px; width: 100%; }
.filter button { width: auto; cursor: pointer; } .filter output { flex-basis: 100%; font-size: 12.5px;
  color: var(--soft); }

details { border: 1px solid var(--line); border-radius: 8px; margin: 8px 0; }
summary { cursor: pointer; padding: 8px 12px; border-radius: 8px; }
summary:hover { background: var(--panel); }
.episode > summary { display: flex; gap: 10px; align-items: baseline; list-style: none; }
.episode > summary::-webkit-details-marker { display: none; }
.episode > summary::after { content: '▸'; margin-left: auto; color: var(--soft); }
.episode[open] > summary::after { content: '▾'; }
.episode[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0;
  background: var(--panel); }
.sign { font-weight: 700; } .sign.fail { color: var(--fail); } .sign.void { color: var(--void); }
.reason { display: block; font-size: 13.5px; color: var(--soft); }
.inside { padding: 2px 16px 14px; scroll-margin-top: 60px; } ul.inside { padding-left: 32px; }
.said { white-space: pre-wrap; unicode-bidi: isolate; margin: 2px 0; }
.answer { border-left: 3px solid var(--line); padding-left: 12px; }
.timeline { list-style: none; padding: 0; margin: 8px 0; }
.step, .message, .gap { margin: 8px 0; padding: 8px 12px; border-radius: 8px; }
.step { border: 1px solid var(--line); border-left: 4px solid var(--line); }
.step.broke { border-left-color: var(--fail); } .gap { color: var(--soft); border: 1px dashed var(--line); }
.message { background: var(--panel); max-width: 80%; } .message.agent { margin-left: auto; }
.who { font-size: 12px; font-weight: 600; color: var(--soft); }
.number { display: inline-block; min-width: 20px; color: var(--soft); font-variant-numeric: tabular-nums; }
.status { font-size: 12.5px; font-weight: 600; white-space: nowrap; } .status.ok { color: var(--pass); }
.status.error { color: var(--fail); }
.step details, .step .short { margin: 4px 0 0; border: 0; } .step summary { padding: 0 2px; }
.label { font-size: 12.5px; font-weight: 600; color: var(--soft); }
.fault { color: var(--warn); margin: 4px 0; } .both { display: grid; grid-template-columns: 1fr 1fr;
  gap: 12px; margin-top: 6px; }
.changed { margin: 6px 0 0; } .changes { list-style: none; padding: 0; margin: 2px 0 0; font-size: 13.5px; }
.changes li { padding: 3px 0; } .op { font-weight: 600; } .op.insert { color: var(--pass); }
.op.delete { color: var(--fail); }
.op.update { color: var(--link); }
.cells { display: block; padding-left: 16px; font-size: 12.5px; } .cells > span { margin-right: 12px; }
.changes i { font-style: normal; color: var(--soft); } .cell-change { padding-left: 16px; }
.cell-change i { margin-right: 8px; }
del { text-decoration: line-through; text-decoration-color: var(--fail); }
ins { text-decoration: none; font-weight: 600; }
.finding { margin: 8px 0 2px; padding: 7px 10px; border-radius: 6px; background: var(--fail-ground); }
.finding > span:first-child { color: var(--fail); font-weight: 700; }
.sides { display: flex; flex-wrap: wrap; gap: 2px 18px; font-size: 13px; margin-top: 3px; }
.commands { font-size: 13px; margin-top: 14px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 18px; margin: 8px 0; }
dt { color: var(--soft); } dd { margin: 0; }
${narrow()}${DIFFERENCES_STYLE}${print()}`;

/** On a phone every row of a table becomes a heading with its cells below. */
function narrow(): string {
  return `
@media (max-width: 720px) {
  main, header, footer { padding-left: 16px; padding-right: 16px; } header { padding-top: 22px; }
  h1 { font-size: 22px; } h2 { margin-top: 40px; } .beside, .both { grid-template-columns: minmax(0, 1fr);
    gap: 12px; }
  .plot li { grid-template-columns: minmax(0, max-content) minmax(130px, 1fr); gap: 4px 12px;
    padding: 10px 0; }
  .plot .track { grid-row: 2; grid-column: 1 / -1; }
  .plot .dot { width: 15px; height: 15px; margin: -7.5px 0 0 -7.5px; }
  .plot li > :last-child { display: contents; } .plot strong { grid-area: 1 / 2; text-align: right; }
  .plot li .low { grid-row: 3; } .plot li .low + .low { text-align: right; }
  .plot .axis > span:first-child, .plot .axis > span:last-child { display: none; }
  .matrix, .matrix thead, .matrix tbody { display: block; } .matrix.figures { min-width: 0; }
  .matrix tr { display: grid; grid-template-columns: repeat(var(--runs), minmax(104px, 1fr));
    min-width: min-content; border-bottom: 1px solid var(--line); padding: 6px 0; }
  .matrix th, .matrix td, .matrix thead th { border: 0; padding: 2px 10px 2px 0; }
  .matrix tbody th, .matrix .corner { grid-column: 1 / -1; }
  .matrix .corner { display: none; } .matrix tbody th .low { display: inline; margin-left: 6px; }
  .matrix tbody th { font-weight: 600; }
  .matrix.bars th, .matrix.bars td { padding: 1px 10px 1px 0; } .bars .bar { display: block; width: auto; }
  .matrix.grid tr { border: 0; padding: 2px 0; } .matrix.grid th, .matrix.grid td { padding: 1px 4px 1px 0; }
  .matrix.grid tbody th { font-weight: 400; font-size: 13.5px; }
  .matrix.grid .group { border-top: 1px solid var(--line); margin-top: 10px; }
  .matrix.grid .cell { width: 24px; height: 24px; margin: 0 2px 3px 0; }
  .firsts li { grid-template-columns: minmax(0, 1fr); gap: 2px; } .firsts .bar { max-width: none; }
  .message { max-width: 94%; }
  .episode > summary { padding: 8px 10px; } .inside { padding: 2px 10px 12px; }
  .step, .message, .gap { padding: 7px 9px; }
  dl { grid-template-columns: minmax(0, 1fr); } dt { margin-top: 6px; }
}`;
}

/** On paper: light, no controls, nothing cut; folded episodes stay folded. */
function print(): string {
  return `
@media print {
  :root { color-scheme: light; --ink: #000; --soft: #444; --ground: #fff; --line: #bbb; --panel: #f4f4f4;
    --bar: #ddd;
    --pass: #18794e; --pass-ground: #dcf1e5; --fail: #b42318; --fail-ground: #fdeceb; --void: #6941a5;
      --void-ground: #efe8fa;
    --warn: #8a5300; --link: #1a5fb4; --series-0: #1a5fb4; --series-1: #a2540b; --series-2: #8b3a8f;
      --series-3: #2f6f6a; }
  body { font-size: 11pt; } nav, .filter { display: none !important; } .scroll { overflow: visible; }
  .track, .bar, .fill, .range, .dot, .finding { print-color-adjust: exact; }
  h2, h3, h4 { break-after: avoid; } tr, li, .finding { break-inside: avoid; }
 
}`;
}
