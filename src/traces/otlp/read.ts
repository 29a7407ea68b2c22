import type { Json } from '../../base/json.ts';
import type { TraceFile } from '../documents.ts';
import { RunBuilder } from '../run-builder.ts';
import type { TraceEnd, TraceRun } from '../types.ts';
import { fillResults, type JoinedCall, joinCalls } from './calls.ts';
import { factsOf, first, type SpanFacts } from './facts.ts';
import { messagesIn } from './messages.ts';
import { NAMES } from './names.ts';
import { readSpans, type Span } from './spans.ts';
import { SpanTree } from './tree.ts';

/**
 * Runs of a file of spans, one a trace id; traces in which no agent does anything are no runs. Null when the
 * file holds no spans.
 */
export function readOtlp(trace: TraceFile): TraceRun[] | null {
  const spans = readSpans(trace);
  if (spans === null) return null;
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId)];
  const told = traces.map(([name, own]) => ({ name, tree: treeOf(own) }));
  const idle = told.filter(({ tree }) => !isRun(tree)).flatMap(({ tree }) => tree.all);
  return told
    .filter(({ tree }) => isRun(tree))
    .map(({ name, tree }, index) => readRun(name, tree, index === 0 ? idle : []));
}

function treeOf(spans: readonly Span[]): SpanTree {
  let longest = 0;
  for (const { attributes } of spans) {
    for (const value of Object.values(attributes)) {
      if (typeof value === 'string' && value.length > longest) longest = value.length;
    }
  }
  return new SpanTree(spans.map((span) => factsOf(span, longest)));
}

const isRun = ({ all }: SpanTree): boolean =>
  all.some(({ kind, output }) => kind === 'tool' || kind === 'model' || output.length > 0);

function readRun(name: string, tree: SpanTree, idle: readonly SpanFacts[]): TraceRun {
  const run = new RunBuilder('otlp');
  const { calls, merged } = joinCalls(tree, 'agent');
  const results = tree.all.flatMap(({ input, output }) =>
    [...input, ...output].flatMap((message) => message.results),
  );
  const strays = fillResults(calls, results);
  const history = historyIds(tree, calls);
  for (const found of strays) {
    if (found.id === null || found.id === undefined || !history.has(found.id)) {
      run.lose('result-without-call', found.id ?? found.tool ?? '');
    }
  }
  for (const id of history) run.lose('call-of-history', id);
  loseParts(run, tree);
  tell(run, tree, calls);
  for (const { span } of idle) run.lose('span-dropped', span.name);
  for (const span of merged) run.lose('span-merged', span);
  for (const { span, kind } of tree.all) {
    if (kind === 'other') run.lose('span-dropped', span.name);
    if (span.dropped > 0) run.lose('value-truncated', `${span.name}: dropped by the exporter`, span.dropped);
  }
  for (const { tool, span } of tree.all) {
    for (const text of tool?.cut ?? []) run.lose('value-truncated', `${span.name}: ${text}`);
  }
  addUsage(run, tree);
  return run.finish(name, endOf(tree, calls));
}

/**
 * Parts that were not read: those put out, and those of the input that has most, since inputs repeat others.
 */
function loseParts(run: RunBuilder, { all, speakers }: SpanTree): void {
  const put = speakers.flatMap(({ output }) => output.flatMap(({ unread }) => unread));
  const read = all.map(({ input }) => input.flatMap(({ unread }) => unread));
  const most = read.reduce((one, other) => (other.length > one.length ? other : one), []);
  for (const kind of [...most, ...put]) run.lose('unknown-content', kind);
}

/** Ids of calls that stand in the inputs alone: made before this trace began. */
function historyIds(tree: SpanTree, calls: readonly JoinedCall[]): Set<string> {
  const made = new Set(calls.map(({ id }) => id));
  const inputs = tree.all.flatMap(({ input }) => input.flatMap((message) => message.calls));
  return new Set(inputs.flatMap(({ id }) => (id === null || made.has(id) ? [] : [id])));
}

/** Calls and messages in order of time: each user's text once, where a model first read it. */
function tell(run: RunBuilder, tree: SpanTree, calls: readonly JoinedCall[]): void {
  const said: { readonly atNs: bigint; readonly role: 'user' | 'agent'; readonly text: string }[] = [];
  const seen = new Set<string>();
  const speakers = new Set(tree.speakers);
  for (const facts of tree.all) {
    if (tree.isWithinTool(facts)) continue;
    for (const { role, text } of facts.input) {
      if (role !== 'user' || seen.has(text)) continue;
      seen.add(text);
      said.push({ atNs: facts.span.startNs, role, text });
    }
    if (!speakers.has(facts)) continue;
    for (const { role, text } of facts.output) {
      if (role === 'agent') said.push({ atNs: facts.span.endNs, role, text });
    }
  }
  said.sort((one, other) => Number(one.atNs - other.atNs));
  let next = 0;
  for (const call of calls) {
    for (; next < said.length && (said[next]?.atNs ?? 0n) <= call.atNs; next += 1) sayOne(run, said[next]);
    run.call({ ...call });
    if (call.result !== null) {
      run.result({ id: call.id, tool: call.tool, value: call.result.value, failed: call.failed });
    }
  }
  for (; next < said.length; next += 1) sayOne(run, said[next]);
}

function sayOne(
  run: RunBuilder,
  said: { readonly role: 'user' | 'agent'; readonly text: string } | undefined,
): void {
  if (said !== undefined) run.say(said.role, said.text);
}

/** Tokens and cost of the innermost spans that tell of them: those around repeat their sum. */
function addUsage(run: RunBuilder, tree: SpanTree): void {
  for (const [name, names] of Object.entries({
    inputTokens: NAMES.inputTokens,
    outputTokens: NAMES.outputTokens,
    cost: NAMES.cost,
  })) {
    const told = tree.all.filter(({ span }) => first(span, names) !== undefined);
    const around = new Set(told.flatMap((facts) => tree.around(facts)));
    for (const facts of told) {
      const value: Json | undefined = around.has(facts) ? undefined : first(facts.span, names);
      if (value !== undefined) run.use({ [name]: value });
    }
  }
}

function endOf(tree: SpanTree, calls: readonly JoinedCall[]): TraceEnd {
  const speakers = tree.speakers.filter((facts) => !tree.isWithinTool(facts));
  const last = speakers
    .at(-1)
    ?.output.findLast(({ role, text, calls: own }) => role === 'agent' && (text !== '' || own.length > 0));
  if (last !== undefined && last.calls.length === 0) return { kind: 'answer', text: last.text };
  const answer = outerAnswer(tree);
  if (answer !== null) return { kind: 'answer', text: answer };
  if (last === undefined) return { kind: 'unknown', detail: 'what the model said is not in the trace' };
  const open = last.calls.some(({ id }) => calls.some((call) => call.id === id && call.result === null));
  return open
    ? { kind: 'unknown', detail: 'the trace ends after a tool call that has no result' }
    : { kind: 'no-answer', detail: 'the trace ends after a tool result, without an answer' };
}

/** What the outermost span put out, where it is a text or ends in a message of the agent. */
function outerAnswer(tree: SpanTree): string | null {
  for (const facts of tree.all) {
    if (tree.around(facts).length > 0 || facts.kind === 'tool') continue;
    const output = messagesIn(first(facts.span, NAMES.output), 'agent').at(-1);
    if (output?.role === 'agent' && output.text !== '' && output.calls.length === 0) return output.text;
  }
  return null;
}
