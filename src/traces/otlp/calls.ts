import { type Json, jsonEqual } from '../../base/json.ts';
import type { FoundResult } from '../run-builder.ts';
import type { TraceArguments } from '../types.ts';
import type { SpanFacts, ToolFacts } from './facts.ts';
import type { SpokenCall } from './messages.ts';
import type { SpanTree } from './tree.ts';

/** A call, put together from what the model wrote and what the tool's span tells. */
export interface JoinedCall {
  readonly tool: string;
  readonly id: string | null;
  readonly actor: string;
  readonly turn: string | null;
  readonly atNs: bigint;
  readonly arguments: TraceArguments;
  result: { readonly value: Json } | null;
  failed: boolean | null;
}

/** Calls of a trace in order of time, and what fell out while they were joined. */
export interface JoinedCalls {
  readonly calls: readonly JoinedCall[];
  /** Tool spans that tell of the call of a span around them. */
  readonly merged: readonly string[];
}

interface Written {
  readonly call: SpokenCall;
  readonly facts: SpanFacts;
  readonly turn: string;
  span: SpanFacts | null;
}

/** Joins the calls that models wrote with the spans of the tools that carried them out. */
export function joinCalls(tree: SpanTree, fallback: string): JoinedCalls {
  const written = writtenCalls(tree);
  const merged: string[] = [];
  const calls: JoinedCall[] = [];
  for (const facts of tree.all) {
    const { tool } = facts;
    if (tool === null) continue;
    if (isRepeated(tree, facts, tool)) {
      merged.push(facts.span.name);
      continue;
    }
    const partner = partnerOf(tool, written);
    if (partner !== undefined) partner.span = facts;
    const given = partner?.call.arguments;
    calls.push({
      tool: partner?.call.tool ?? tool.tool,
      id: partner?.call.id ?? tool.id,
      actor: tree.actorOf(partner?.facts ?? facts) ?? fallback,
      turn: partner?.turn ?? null,
      atNs: facts.span.startNs,
      arguments: given === undefined || given.kind === 'not-captured' ? tool.arguments : given,
      result: tool.result,
      failed: tool.failed,
    });
  }
  // A call without a span comes after the one that was written before it in its turn.
  let before: { readonly turn: string; readonly atNs: bigint } | null = null;
  for (const { call, facts, turn, span } of written) {
    const atNs: bigint = span?.span.startNs ?? (before?.turn === turn ? before.atNs : facts.span.endNs);
    before = { turn, atNs };
    if (span !== null) continue;
    const actor = tree.actorOf(facts) ?? fallback;
    calls.push({ ...call, actor, turn, atNs, result: null, failed: null });
  }
  return { calls: calls.sort((one, other) => Number(one.atNs - other.atNs)), merged };
}

/** What models wrote, each call once: spans around others repeat what these put out. */
function writtenCalls(tree: SpanTree): Written[] {
  const written: Written[] = [];
  const ids = new Set<string>();
  for (const facts of tree.speakers) {
    for (const [index, { calls }] of facts.output.entries()) {
      for (const call of calls) {
        if (call.id !== null && ids.has(call.id)) continue;
        if (call.id !== null) ids.add(call.id);
        written.push({ call, facts, turn: `${facts.span.spanId}.${index}`, span: null });
      }
    }
  }
  return written;
}

/**
 * The written call that a tool's span carried out: by id, else by name and arguments, else the first of its
 * name.
 */
function partnerOf(tool: ToolFacts, written: readonly Written[]): Written | undefined {
  const open = written.filter(({ span }) => span === null);
  const { id } = tool;
  if (id !== null) {
    const named = open.find(({ call }) => call.id === id);
    if (named !== undefined) return named;
  }
  const handoff = tool.named ? null : handoffTo(tool.tool);
  const like = open.filter(
    ({ call }) => (call.tool === tool.tool || call.tool === handoff) && (id === null || call.id === null),
  );
  return like.find(({ call }) => sameArguments(call.arguments, tool.arguments)) ?? like[0];
}

/** The OpenAI Agents SDK calls the tool `transfer_to_NAME` and its span `handoff to NAME`. */
function handoffTo(name: string): string | null {
  const agent = /^handoff to (.+)$/iu.exec(name)?.[1];
  return agent === undefined ? null : `transfer_to_${agent.trim().replace(/\s+/gu, '_')}`;
}

/** A tool's span within a span of the same tool with the same arguments: client and server of one call. */
function isRepeated(tree: SpanTree, facts: SpanFacts, tool: ToolFacts): boolean {
  return tree.around(facts).some((outer) => {
    if (outer.tool === null || outer.tool.tool !== tool.tool) return false;
    if (outer.tool.id !== null && tool.id !== null) return outer.tool.id === tool.id;
    const [one, other] = [outer.tool.arguments, tool.arguments];
    const isSilent = one.kind === 'not-captured' || other.kind === 'not-captured';
    return isSilent || sameArguments(one, other);
  });
}

function sameArguments(one: TraceArguments, other: TraceArguments): boolean {
  if (one.kind === 'json' && other.kind === 'json') return jsonEqual(one.value, other.value);
  return one.kind === 'malformed' && other.kind === 'malformed' && one.text === other.text;
}

/** Fills in what the inputs of later model calls tell; gives back what belongs to no call of the trace. */
export function fillResults(
  calls: readonly JoinedCall[],
  results: readonly FoundResult[],
): readonly FoundResult[] {
  const known = new Set(calls.map(({ id }) => id).filter((id) => id !== null));
  const strays: FoundResult[] = [];
  for (const found of results) {
    const id = found.id ?? null;
    const open = calls.find((call) =>
      id === null
        ? call.id === null && call.result === null && (found.tool ?? call.tool) === call.tool
        : call.id === id && call.result === null,
    );
    if (open !== undefined) {
      open.result = { value: found.value };
      open.failed ??= found.failed ?? null;
    } else if (id !== null && !known.has(id)) strays.push(found);
  }
  return strays;
}
