import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject, jsonEqual } from '../base/json.ts';
import { valueAt } from '../base/predicate.ts';
import type { Operation } from '../service/types.ts';
import { withOtherAmbience } from './ambient.ts';
import type { Outcome, Subject } from './subject.ts';
import type { Listing } from './types.ts';

/** The same script twice, the second time with another clock and other random numbers in the machine. */
export function determinismProblems(subject: Subject): string[] {
  const firsts = subject.runs();
  const scripts = subject.scripts();
  return withOtherAmbience(() =>
    scripts.flatMap(({ title, calls }, index) => {
      const again = subject.play(title, calls);
      const first = firsts[index];
      if (again.trajectory === first?.trajectory) {
        // What is sent besides the record must not depend on the machine either.
        const sent = again.outcomes.find(
          ({ delivery }, at) =>
            !jsonEqual(delivery as never, (first.outcomes[at]?.delivery ?? null) as never),
        );
        return sent ? [`${title}: headers went differently the second time, at ${describe(sent)}`] : [];
      }
      const step = again.outcomes.findIndex(
        (outcome, at) =>
          !jsonEqual(outcome.step as never, (firsts[index]?.outcomes[at]?.step ?? null) as never),
      );
      return [`${title} went differently the second time, at ${describe(again.outcomes[step])}`];
    }),
  );
}

/**
 * A read changes nothing; neither does a call that fails, unless its error says that writes are kept, or it
 * is a composition that failed after a write of its own had succeeded.
 */
export function contentProblems(subject: Pick<Subject, 'outcomes' | 'operation'>): string[] {
  return subject.outcomes().flatMap((outcome) => {
    const { step, committed } = outcome;
    if (step.before === step.after) return [];
    const wroteBefore = step.operations.some(({ id, status }) => status < 400 && !isRead(subject, id));
    if (step.outcome !== 'ok' && !committed && !wroteBefore)
      return [`the failed ${describe(outcome)} changed the content`];
    const reads = step.operations.length > 0 && step.operations.every(({ id }) => isRead(subject, id));
    return reads ? [`the read ${describe(outcome)} changed the content`] : [];
  });
}

function isRead(subject: Pick<Subject, 'operation'>, id: string): boolean {
  return subject.operation(id)?.effect === 'read';
}

/** What happens in a fork is not seen outside of it, in either direction. */
export function forkProblems(subject: Subject): string[] {
  const calls = subject.exampleScripts().flatMap((script) => script.calls);
  const half = Math.ceil(calls.length / 2);
  const alone = subject.open();
  subject.play('first half', calls.slice(0, half), alone);
  const expected = subject.play('second half', calls.slice(half), alone).trajectory;

  const parent = subject.open();
  subject.play('first half', calls.slice(0, half), parent);
  const before = parent.world.fullDigest();
  const fork = parent.fork();
  subject.play('in the fork', [...calls].reverse(), fork);
  const problems: string[] = [];
  if (parent.world.fullDigest() !== before)
    problems.push('calls in a fork changed the world it was forked from');
  const inFork = fork.world.fullDigest();
  const after = subject.play('second half', calls.slice(half), parent).trajectory;
  if (fork.world.fullDigest() !== inFork) problems.push('calls after a fork changed the fork');
  if (after !== expected)
    problems.push('a session that was forked goes on differently from one that was not');
  return problems;
}

/** Every answer is plain JSON, all the way down. */
export function jsonProblems(subject: Subject): string[] {
  return subject.outcomes().flatMap((outcome) => {
    const { body } = outcome.delivery;
    const problem = notJson(body, '');
    if (problem !== null) return [`${describe(outcome)} answers what is not JSON: ${problem}`];
    const back = JSON.parse(JSON.stringify(body)) as Json;
    return jsonEqual(back, body) ? [] : [`${describe(outcome)}: the answer does not survive JSON`];
  });
}

function notJson(value: unknown, path: string): string | null {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${path} is ${value}`;
  if (Array.isArray(value)) {
    return firstOf(value.map((item, index) => notJson(item, `${path}[${index}]`)));
  }
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (prototype !== Object.prototype && prototype !== null)
    return `${path || 'the answer'} is a ${typeof value}`;
  return firstOf(Object.entries(value as object).map(([name, inner]) => notJson(inner, `${path}.${name}`)));
}

function firstOf(problems: readonly (string | null)[]): string | null {
  return problems.find((problem) => problem !== null) ?? null;
}

/** A successful answer of one operation fits its output schema. */
export function outputProblems(subject: Subject): string[] {
  const problems = new Map<string, string>();
  for (const outcome of subject.outcomes()) {
    const [ran, more] = outcome.step.operations;
    const operation = ran && subject.operation(ran.id);
    const composed = subject.service.tools.some((tool) => tool.name === outcome.step.tool && tool.compose);
    if (outcome.step.outcome !== 'ok' || !operation || more || composed) continue;
    // An answer without a body, such as to a conditional request, has none to look at.
    if (outcome.delivery.form === 'empty') continue;
    const parsed = operation.output.safeParse(outcome.delivery.body);
    if (parsed.success) continue;
    const [issue] = parsed.error.issues;
    const problem = `${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? ''}`;
    problems.set(operation.id, `${describe(outcome)} does not fit its output: ${problem}`);
  }
  return [...problems.values()];
}

const MOST_PAGES = 1000;

/** Pages of any size, put together, are the whole listing, each item once, in the same order. */
export function pagingProblems(subject: Subject): string[] {
  const { listings = [] } = subject.options;
  const unlisted = subject.service.operations.filter(
    (operation) => looksPaged(operation) && !listings.some((listing) => listing.operation === operation.id),
  );
  const unnamed = unlisted.map(({ id }) => `${id} takes pages: name it among the listings`);
  return [...unnamed, ...listings.flatMap((listing) => listingProblems(subject, listing))];
}

/** A law that nobody applies would hold of everything. */
function looksPaged(operation: Operation): boolean {
  if (operation.effect !== 'read') return false;
  const described = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
  const names = Object.keys(described.properties ?? {});
  return names.some((name) => PAGING_INPUTS.includes(name));
}

const PAGING_INPUTS = ['after', 'cursor', 'page', 'page_token', 'starting_after', 'offset'];

function listingProblems(subject: Subject, listing: Listing): string[] {
  const whole = readAll(subject, listing, {});
  if (typeof whole === 'string') return [whole];
  if (whole.length < 2 && listing.few === undefined)
    return [`${listing.operation} lists ${whole.length} items on the small seed: too few to page`];
  return [1, 2, 3].flatMap((size) => {
    const paged = readAll(subject, listing, { [listing.limit]: size });
    if (typeof paged === 'string') return [paged];
    const same = jsonEqual(paged, whole);
    return same ? [] : [`${listing.operation} in pages of ${size} gives other items than at once`];
  });
}

function readAll(subject: Subject, listing: Listing, limit: JsonObject): Json[] | string {
  const session = subject.open();
  const items: Json[] = [];
  let cursor: Json | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    if (listing.next === undefined) cursor = page + 1;
    const input = { ...listing.input, ...limit, ...(cursor == null ? {} : { [listing.cursor]: cursor }) };
    const delivery = session.call({ tool: listing.operation, input });
    const found = valueAt(delivery.body, listing.items);
    if (!delivery.ok || !Array.isArray(found))
      return `${listing.operation} gives no list at ${listing.items}`;
    const size = limit[listing.limit];
    if (typeof size === 'number' && found.length > size)
      return `${listing.operation} gives more than ${size} items`;
    items.push(...(found as Json[]));
    cursor = listing.next === undefined ? found.length || null : valueAt(delivery.body, listing.next);
    if (cursor === undefined || cursor === null) return items;
  }
  return `${listing.operation} has no last page after ${MOST_PAGES}`;
}

/** Every error that state can cause is caused; those that are excused are not. */
export function reachProblems(subject: Subject): string[] {
  const reached = new Set(subject.outcomes().flatMap(({ step }) => (step.error ? [step.error.code] : [])));
  const { unreached = {} } = subject.options;
  return Object.entries(subject.service.errors).flatMap(([code, spec]) => {
    if (spec.reach === 'fault' || spec.reach === 'door')
      return reached.has(code) ? [`${code} is declared ${spec.reach}-only and state reaches it`] : [];
    if (reached.has(code)) return unreached[code] ? [`${code} is excused and reached all the same`] : [];
    return unreached[code] ? [] : [`no call reaches the error ${code}`];
  });
}

/** A call in a few words, for a message. */
export function describe(outcome: Outcome | undefined): string {
  if (!outcome) return 'its end';
  const input = JSON.stringify(outcome.call.input);
  const shown = isJsonObject(outcome.call.input) && input.length > 300 ? `${input.slice(0, 300)}…` : input;
  return `${outcome.call.tool} ${shown} (${outcome.script}, step ${outcome.step.index})`;
}
