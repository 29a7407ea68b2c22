import { type FileDiff, totalsOf } from './diff.ts';
import { blobAt, type GitReader } from './store.ts';
import { quotePath } from './unified.ts';

const WIDTH_COLUMNS = 72;
const GRAPH_AT_LEAST = 6;

interface StatLine {
  readonly name: string;
  readonly additions: number;
  readonly deletions: number;
  /** Sizes of a binary file, before and after; zero twice when only its mode differs. */
  readonly sizes: readonly [number, number] | null;
}

interface Widths {
  readonly name: number;
  readonly number: number;
  readonly graph: number;
  readonly largest: number;
}

/** The table of changed files that git puts above a mailed diff, with its totals and the changes of modes. */
export function diffStat(reader: GitReader, files: readonly FileDiff[]): string {
  const lines = files.map((file) => statLine(reader, file));
  const widths = measure(lines);
  const { additions, deletions } = totalsOf(files);
  const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
  const totals = [` ${plural(files.length, 'file')} changed`];
  if (additions > 0 || deletions === 0) totals.push(`${plural(additions, 'insertion')}(+)`);
  if (deletions > 0 || additions === 0) totals.push(`${plural(deletions, 'deletion')}(-)`);
  const all = [...lines.map((line) => drawLine(line, widths)), totals.join(', '), ...files.flatMap(summary)];
  return all.map((line) => `${line}\n`).join('');
}

function statLine(reader: GitReader, file: FileDiff): StatLine {
  const { path, previousPath, additions, deletions, binary, before, after } = file;
  const name = previousPath === null ? quotePath(path) : renamePair(previousPath, path);
  const same = before?.sha === after?.sha;
  const sizeAt = (sha = ''): number => (same ? 0 : (blobAt(reader, sha)?.size ?? 0));
  return { name, additions, deletions, sizes: binary ? [sizeAt(before?.sha), sizeAt(after?.sha)] : null };
}

/** Two paths as `common/{old => new}/common`. */
function renamePair(before: string, after: string): string {
  const [from, to] = [quotePath(before), quotePath(after)];
  if (from !== before || to !== after) return `${from} => ${to}`;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  for (let at = 0; at < shorter && before[at] === after[at]; at += 1) if (before[at] === '/') start = at + 1;
  const limit = shorter - start + (start > 0 ? 1 : 0);
  let end = 0;
  for (let back = 1; back <= limit && before.at(-back) === after.at(-back); back += 1) {
    if (before.at(-back) === '/') end = back;
  }
  if (start + end === 0) return `${before} => ${after}`;
  const middle = (path: string): string => path.slice(start, Math.max(start, path.length - end));
  const tail = end === 0 ? '' : before.slice(-end);
  return `${before.slice(0, start)}{${middle(before)} => ${middle(after)}}${tail}`;
}

function measure(lines: readonly StatLine[]): Widths {
  const largest = Math.max(0, ...lines.map((line) => (line.sizes ? 0 : line.additions + line.deletions)));
  const binary = lines.flatMap(({ sizes }) => (sizes ? [14 + `${sizes[0]}${sizes[1]}`.length] : []));
  const binaryWidth = Math.max(0, ...binary);
  const number = Math.max(`${largest}`.length, binary.length > 0 ? 3 : 0);
  let graph = largest + 4 > binaryWidth ? largest : binaryWidth - 4;
  let name = Math.max(0, ...lines.map((line) => line.name.length));
  if (name + number + 6 + graph > WIDTH_COLUMNS) {
    graph = Math.max(Math.min(graph, Math.floor((WIDTH_COLUMNS * 3) / 8) - number - 6), GRAPH_AT_LEAST);
    const room = WIDTH_COLUMNS - number - 6;
    if (name > room - graph) name = room - graph;
    else graph = room - name;
  }
  return { name, number, graph, largest };
}

function drawLine({ name, additions, deletions, sizes }: StatLine, widths: Widths): string {
  const left = ` ${shorten(name, widths.name).padEnd(widths.name)} | `;
  if (sizes) {
    const [before, after] = sizes;
    const change = before === 0 && after === 0 ? '' : ` ${before} -> ${after} bytes`;
    return `${left}${'Bin'.padStart(widths.number)}${change}`;
  }
  const count = additions + deletions;
  const number = `${count}`.padStart(widths.number);
  return count === 0 ? left + number : `${left}${number} ${drawGraph(additions, deletions, widths)}`;
}

function shorten(name: string, width: number): string {
  if (name.length <= width) return name;
  const cut = name.slice(name.length - Math.max(0, width - 3));
  const slash = cut.indexOf('/');
  return `...${slash < 0 ? cut : cut.slice(slash)}`;
}

function drawGraph(additions: number, deletions: number, { graph, largest }: Widths): string {
  let [plus, minus] = [additions, deletions];
  if (graph <= largest) {
    const scale = (count: number): number =>
      count === 0 ? 0 : 1 + Math.floor((count * (graph - 1)) / largest);
    const total = Math.max(scale(plus + minus), plus > 0 && minus > 0 ? 2 : 0);
    if (plus < minus) {
      plus = scale(plus);
      minus = total - plus;
    } else {
      minus = scale(minus);
      plus = total - minus;
    }
  }
  return '+'.repeat(plus) + '-'.repeat(minus);
}

function summary({ path, previousPath, before, after, similarity }: FileDiff): string[] {
  const lines: string[] = [];
  if (!before) return after ? [` create mode ${after.mode} ${quotePath(path)}`] : [];
  if (!after) return [` delete mode ${before.mode} ${quotePath(path)}`];
  if (previousPath !== null) lines.push(` rename ${renamePair(previousPath, path)} (${similarity}%)`);
  if (before.mode !== after.mode) {
    const name = previousPath === null ? ` ${quotePath(path)}` : '';
    lines.push(` mode change ${before.mode} => ${after.mode}${name}`);
  }
  return lines;
}
