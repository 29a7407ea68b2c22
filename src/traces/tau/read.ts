import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { isPythonNumber, magnitudeOf, parsePythonJson } from '../../service/index.ts';
import type { TauAction, TauCall, TauReplayFile, TauRun, TauTurn } from './types.ts';

const STOP = '###STOP###';
const EXPECTED =
  'expected a JSON array of tau-bench runs (version 1), or an object with gold_hashes from a replay';

/** What a file under `recorded/` turned out to be. */
export type TauFile =
  | { readonly kind: 'runs'; readonly runs: readonly TauRun[] }
  | { readonly kind: 'replay'; readonly replay: TauReplayFile };

/**
 * Reads one file: an array of runs, or an object with `gold_hashes`.
 * @throws UsageError naming the file, the place in it and what was expected there.
 */
export function parseTauFile(file: string, text: string): TauFile {
  const content = parsed(file, text);
  if (Array.isArray(content)) {
    return { kind: 'runs', runs: content.map((run, index) => readRun(new Place(file, `[${index}]`), run)) };
  }
  if (isJsonObject(content) && content.gold_hashes !== undefined) {
    return { kind: 'replay', replay: readReplay(new Place(file, ''), content) };
  }
  const second = isJsonObject(content) && content.simulations !== undefined;
  throw new UsageError('not-tau-runs', second ? 'these are runs of version 2 (tau2-bench)' : EXPECTED, {
    place: { file },
    ...(second ? { hint: EXPECTED } : {}),
  });
}

/** JSON of a file. @throws UsageError when it is cut short or no JSON at all. */
export function parsed(file: string, text: string): Json {
  try {
    return parsePythonJson(text);
  } catch (error) {
    // The message quotes the text, line breaks and all.
    const problem = (error instanceof Error ? error.message : String(error)).replace(/\s+/gu, ' ');
    throw new UsageError('not-json', `not JSON: ${problem}`, {
      place: { file },
      hint: 'the file is damaged or cut short, or it is no tau-bench file',
    });
  }
}

/** A spot in a file, for messages such as `runs.json: [3].traj[7].content: expected a text`. */
class Place {
  readonly file: string;
  readonly path: string;

  constructor(file: string, path: string) {
    this.file = file;
    this.path = path;
  }

  at(part: string | number): Place {
    return new Place(this.file, typeof part === 'number' ? `${this.path}[${part}]` : `${this.path}.${part}`);
  }

  wrong(expected: string): UsageError {
    return new UsageError('bad-tau-run', `${this.path.replace(/^\./u, '')}: expected ${expected}`, {
      place: { file: this.file },
      hint: EXPECTED,
    });
  }
}

function readRun(place: Place, value: Json): TauRun {
  const run = objectAt(place, value);
  const info = objectAt(place.at('info'), run.info);
  const task = objectAt(place.at('info').at('task'), info.task);
  const actions = listAt(place.at('info').at('task').at('actions'), task.actions);
  const messages = listAt(place.at('traj'), run.traj).map((message, index) =>
    objectAt(place.at('traj').at(index), message),
  );
  return {
    file: place.file,
    taskId: wholeAt(place.at('task_id'), run.task_id),
    trial: wholeAt(place.at('trial'), run.trial ?? 0),
    reward: numberAt(place.at('reward'), run.reward),
    instruction: typeof task.instruction === 'string' ? task.instruction : '',
    actions: actions.map((action, index) =>
      readAction(place.at('info').at('task').at('actions').at(index), action),
    ),
    outputs: listAt(place.at('info').at('task').at('outputs'), task.outputs ?? []).map((output, index) =>
      textAt(place.at('info').at('task').at('outputs').at(index), output),
    ),
    goldHash: goldHashOf(info),
    calls: callsOf(place.at('traj'), messages),
    turns: turnsOf(messages),
    said: messages.filter(isSaid).map((message) => String(message.content)),
    userStopped: messages.some(isStop),
  };
}

function readAction(place: Place, value: Json): TauAction {
  const action = objectAt(place, value);
  return { name: textAt(place.at('name'), action.name), kwargs: action.kwargs ?? {} };
}

function goldHashOf(info: JsonObject): string | null {
  const reward = info.reward_info;
  const inner = isJsonObject(reward) ? reward.info : undefined;
  const hash = isJsonObject(inner) ? inner.gt_data_hash : undefined;
  return typeof hash === 'string' ? hash : null;
}

/** What goes to the user: a message of the agent that calls no tool. */
function isSaid(message: JsonObject): boolean {
  const calls = message.tool_calls;
  const silent = calls === undefined || calls === null || (Array.isArray(calls) && calls.length === 0);
  return message.role === 'assistant' && silent && typeof message.content === 'string';
}

/** Every call and everything said, in order; numbers of calls are those of `callsOf`. */
function turnsOf(messages: readonly JsonObject[]): TauTurn[] {
  const turns: TauTurn[] = [];
  let call = 0;
  for (const message of messages) {
    const { role, content, tool_calls: called } = message;
    if (isSaid(message)) turns.push({ kind: 'say', role: 'agent', text: String(content) });
    if (role === 'user' && typeof content === 'string') turns.push({ kind: 'say', role, text: content });
    for (const _ of Array.isArray(called) ? called : []) {
      turns.push({ kind: 'call', call });
      call += 1;
    }
  }
  return turns;
}

function isStop(message: JsonObject): boolean {
  const { content } = message;
  return message.role === 'user' && typeof content === 'string' && content.includes(STOP);
}

/** Calls in order, each with the answer that carries its id. */
function callsOf(place: Place, messages: readonly JsonObject[]): TauCall[] {
  const calls: {
    id: Json | undefined;
    name: string;
    argumentsText: string;
    output: string | null | undefined;
  }[] = [];
  for (const [index, message] of messages.entries()) {
    const here = place.at(index);
    if (message.role === 'assistant' && message.tool_calls) {
      for (const [number, call] of listAt(here.at('tool_calls'), message.tool_calls).entries()) {
        calls.push(readCall(here.at('tool_calls').at(number), call));
      }
    }
    if (message.role !== 'tool') continue;
    const answered = calls.findLast((call) => call.id === message.tool_call_id && call.output === undefined);
    if (!answered) throw here.at('tool_call_id').wrong('the id of a call made before');
    const { content } = message;
    answered.output = content === null ? null : textAt(here.at('content'), content);
  }
  return calls.map(({ name, argumentsText, output }) => ({ name, argumentsText, output }));
}

function readCall(
  place: Place,
  value: Json,
): { id: Json | undefined; name: string; argumentsText: string; output: undefined } {
  const call = objectAt(place, value);
  const called = objectAt(place.at('function'), call.function);
  return {
    id: call.id,
    name: textAt(place.at('function').at('name'), called.name),
    argumentsText: textAt(place.at('function').at('arguments'), called.arguments),
    output: undefined,
  };
}

function readReplay(place: Place, content: JsonObject): TauReplayFile {
  const hashes = objectAt(place.at('gold_hashes'), content.gold_hashes);
  const runs = listAt(place.at('runs'), content.runs ?? []);
  return {
    file: place.file,
    domain: typeof content.domain === 'string' ? content.domain : null,
    initialHash: typeof content.initial_hash === 'string' ? content.initial_hash : null,
    goldHashes: Object.fromEntries(
      Object.entries(hashes).map(([task, hash]) => [task, textAt(place.at('gold_hashes').at(task), hash)]),
    ),
    runs: runs.map((value, index) => {
      const here = place.at('runs').at(index);
      const run = objectAt(here, value);
      return {
        taskId: wholeAt(here.at('task_id'), run.task_id),
        trial: wholeAt(here.at('trial'), run.trial ?? 0),
        finalHash: textAt(here.at('final_hash'), run.final_hash),
      };
    }),
  };
}

function objectAt(place: Place, value: Json | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  throw place.wrong('an object');
}

function listAt(place: Place, value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  throw place.wrong('a list');
}

function textAt(place: Place, value: Json | undefined): string {
  if (typeof value === 'string') return value;
  throw place.wrong('a text');
}

function numberAt(place: Place, value: Json | undefined): number {
  if (isPythonNumber(value)) return magnitudeOf(value);
  throw place.wrong('a number');
}

function wholeAt(place: Place, value: Json | undefined): number {
  const number = numberAt(place, value);
  if (Number.isSafeInteger(number)) return number;
  throw place.wrong('a whole number');
}
