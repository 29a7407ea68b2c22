import { UsageError } from '../base/errors.ts';
import { changesToolList, type FaultRule } from '../faults/index.ts';
import type { Actor } from '../service/types.ts';
import type { Episode } from './episode.ts';
import type { Additions, LogEntry } from './log.ts';
import { assertPlan, scopeOf } from './plan.ts';

/** The actors who may call after this entry. */
export function actorsAt(episode: Episode, head: Pick<LogEntry, 'additions'>): readonly Actor[] {
  return head.additions ? [...episode.actors, ...head.additions.actors] : episode.actors;
}

/**
 * What joined the episode so far, this request's share included.
 * @throws UsageError when the id of an actor or of a rule is taken.
 */
export function withAdditions(
  episode: Episode,
  head: LogEntry,
  added: { readonly joined?: readonly Actor[]; readonly injected?: readonly FaultRule[] },
): Additions | null {
  const { joined = [], injected = [] } = added;
  if (joined.length === 0 && injected.length === 0) return head.additions;
  const rules = head.additions?.faults.rules ?? episode.options.faults?.rules ?? [];
  assertNew('an actor', joined, actorsAt(episode, head));
  assertNew('a fault rule', injected, rules);
  assertInjectable(injected, episode);
  return {
    actors: [...(head.additions?.actors ?? []), ...joined],
    faults: { rules: [...rules, ...injected] },
  };
}

function assertNew(
  what: string,
  added: readonly { readonly id: string }[],
  known: readonly { readonly id: string }[],
): void {
  const taken = new Set(known.map(({ id }) => id));
  for (const { id } of added) {
    if (taken.has(id)) throw new UsageError('id-taken', `there is ${what} named ${id} already`);
    taken.add(id);
  }
}

/** @throws UsageError for a rule that speaks of what is not there, or comes too late. */
function assertInjectable(rules: readonly FaultRule[], { options }: Episode): void {
  if (rules.length === 0) return;
  const late = rules.find(({ effect }) => changesToolList(effect));
  if (late) {
    throw new UsageError(
      'too-late',
      `${late.id}: ${late.effect.kind} changes the list of tools, which was given out already`,
      { hint: 'put the rule into the plan that the session starts with' },
    );
  }
  assertPlan({ rules }, scopeOf(options.services, options));
}
