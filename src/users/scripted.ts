import { UsageError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { holdsAll } from '../base/predicate.ts';
import type { UserScript, UserTransition, UserTrigger } from './types.ts';

/** Rows of a table by its full name `service.table`: all that a user can see of the world. */
export type StateView = (table: string) => Iterable<Readonly<Record<string, Json | undefined>>>;

/** Where a conversation stands: plain data, so that it can be kept, forked and compared. */
export interface ScriptedUserState {
  /** The state of the script; `end` once the user has left. */
  readonly at: string;
  /** Fallback lines in a row. */
  readonly lost: number;
}

/** What the user says, and why. */
export interface UserReply {
  readonly text: string;
  /** True when this was the last line: the user is gone. */
  readonly ended: boolean;
  /** The line of the script: `state/2`, `fallback` or `patience`. */
  readonly cause: string;
  /** The label of the line, where it has one. */
  readonly label?: string;
}

/** A scripted user in one conversation. */
export interface ScriptedUser {
  /** What the user says before the agent says anything. */
  readonly opening: string;
  readonly state: ScriptedUserState;
  /**
   * Answers the agent. The same script, agent texts and states of the world give the same lines.
   * @throws UsageError once the user has left
   */
  reply(agentText: string, view: StateView): UserReply;
}

const END = 'end';

/**
 * Starts a scripted user, or takes a conversation up where a kept state left it.
 * @throws UsageError for a script that names an unknown state or holds a pattern that is no regular
 * expression
 */
export function openScriptedUser(script: UserScript, from?: ScriptedUserState): ScriptedUser {
  checkScript(script);
  let state: ScriptedUserState = from ?? { at: script.start, lost: 0 };
  return {
    opening: script.opening,
    get state() {
      return state;
    },
    reply(agentText, view) {
      if (state.at === END) throw new UsageError('user-left', 'the user has left the conversation');
      const { next, reply } = answer(script, state, { agentText, view });
      state = next;
      return reply;
    },
  };
}

function answer(
  script: UserScript,
  state: ScriptedUserState,
  heard: { readonly agentText: string; readonly view: StateView },
): { next: ScriptedUserState; reply: UserReply } {
  const transitions = script.states[state.at] ?? [];
  for (const [index, transition] of transitions.entries()) {
    if (!triggered(transition.when, heard)) continue;
    const at = transition.goTo ?? state.at;
    return {
      next: { at, lost: 0 },
      reply: spoken(transition, { ended: at === END, cause: `${state.at}/${index}` }),
    };
  }
  const lost = state.lost + 1;
  if (script.patience && lost >= script.patience.turns) {
    const reply = { text: script.patience.say, ended: true, cause: 'patience' };
    return { next: { at: END, lost }, reply };
  }
  return { next: { at: state.at, lost }, reply: { text: script.fallback, ended: false, cause: 'fallback' } };
}

function spoken(transition: UserTransition, how: { ended: boolean; cause: string }): UserReply {
  return {
    text: transition.say,
    ...how,
    ...(transition.label === undefined ? {} : { label: transition.label }),
  };
}

/** All given parts must hold; a line without a trigger is said whatever the agent said. */
function triggered(
  trigger: UserTrigger | undefined,
  heard: { readonly agentText: string; readonly view: StateView },
): boolean {
  if (trigger?.agentSays !== undefined && !pattern(trigger.agentSays).test(heard.agentText)) return false;
  if (!trigger?.state) return true;
  const { table, where, absent = false } = trigger.state;
  for (const row of heard.view(table)) if (holdsAll(where, row as Json)) return !absent;
  return absent;
}

function pattern(source: string): RegExp {
  return new RegExp(source, 'iu');
}

function checkScript(script: UserScript): void {
  const known = (name: string): boolean => name === END || Object.hasOwn(script.states, name);
  if (!known(script.start) || script.start === END) {
    throw badScript(`the script starts in "${script.start}", which is no state of it`, script);
  }
  for (const [name, transitions] of Object.entries(script.states)) {
    for (const { when, goTo } of transitions) {
      if (goTo !== undefined && !known(goTo)) throw badScript(`"${name}" goes to unknown "${goTo}"`, script);
      if (when?.agentSays !== undefined) checkPattern(when.agentSays, name);
    }
  }
}

function badScript(message: string, script: UserScript): UsageError {
  return new UsageError('bad-user-script', message, {
    hint: `its states are ${Object.keys(script.states).join(', ')}, and ${END}`,
  });
}

function checkPattern(source: string, state: string): void {
  try {
    pattern(source);
  } catch {
    throw new UsageError('bad-user-script', `"${state}" waits for "${source}", no regular expression`);
  }
}
