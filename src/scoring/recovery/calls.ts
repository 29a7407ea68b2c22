import { canonicalJson } from '../../base/canonical.ts';
import { isJsonObject, type Json } from '../../base/json.ts';
import type { StepRecord } from '../../trajectory/types.ts';
import { callKey, callOf, freeTextComparators } from '../calls.ts';

/** Names of arguments that say which thing is meant. */
const ID_WORDS = 'ids? number sha sku email login slug code owner repo path ref to username'.replaceAll(
  ' ',
  '|',
);
const ID_NAME = new RegExp(`(?:^|_)(?:${ID_WORDS})$|[a-z](?:Ids?|ID|Number)$`, 'u');

type FreeText = Readonly<Record<string, readonly string[]>> | undefined;

/** The same tool, or one that runs an operation of the other. */
export function sameOperation(one: StepRecord, other: StepRecord): boolean {
  if (one.tool === other.tool) return true;
  return one.operations.some(({ id }) => other.operations.some((run) => run.id === id));
}

/**
 * What a call is about: its id-like arguments as one text, all but the free text where it has none. Calls
 * that differ only in how much or in what words are about the same.
 */
export function targetOf(step: StepRecord, freeText: FreeText): string {
  const ids: string[] = [];
  collectIds(step.input, ids);
  return ids.length > 0 ? ids.sort().join('&') : callKey(callOf(step), freeTextComparators(freeText));
}

/** True where the calls name an id in common, whatever it is called. */
export function sharesTarget(one: StepRecord, other: StepRecord): boolean {
  const named = (step: StepRecord): string[] => {
    const ids: string[] = [];
    collectIds(step.input, ids);
    return ids.map((id) => id.slice(id.indexOf('=') + 1));
  };
  const known = new Set(named(one));
  return named(other).some((id) => known.has(id));
}

function collectIds(value: Json, into: string[]): void {
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) collectIds(item, into);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || member === null) continue;
      if (ID_NAME.test(name)) into.push(`${name}=${canonicalJson(member)}`);
      else if (typeof member === 'object') collectIds(member, into);
    }
  }
}

/** What the agent was given: a body that it could read, with a status of success or not. */
export function wasAnswered({ delivered }: StepRecord): boolean {
  return !delivered?.lost && !delivered?.broken;
}

/** True when the agent was given an error, or nothing that it could read. */
export function cameToNothing(step: StepRecord): boolean {
  if (!wasAnswered(step)) return true;
  return step.delivered ? step.delivered.status >= 400 : step.outcome !== 'ok';
}

/** Scalars of a JSON value with their paths; items of a list share one. */
export function leavesOf(value: Json): { readonly path: string; readonly value: string | number }[] {
  const found: { path: string; value: string | number }[] = [];
  const visit = (part: Json, path: string): void => {
    if (typeof part === 'string' || typeof part === 'number') found.push({ path, value: part });
    else if (Array.isArray(part)) for (const item of part as readonly Json[]) visit(item, `${path}[]`);
    else if (isJsonObject(part)) {
      for (const [name, member] of Object.entries(part)) {
        if (member !== undefined) visit(member, `${path}.${name}`);
      }
    }
  };
  visit(value, '');
  return found;
}
