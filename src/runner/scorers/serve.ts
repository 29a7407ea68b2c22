import { UsageError } from '../../base/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { VERSION } from '../../gateway/host/version.ts';
import { answerJson, type Door, type DoorRequest, type Listening, listen } from '../../gateway/http/index.ts';
import { readTraces, type TraceRun } from '../../traces/index.ts';
import { scoreRun } from '../score-traces.ts';
import { readTraceRules, type TraceRules } from '../traces/rules.ts';

/** Our metrics and invariants for others: the same request that a scorer of theirs would be sent. */
export interface ScoreServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves `POST /score`: a request of the scorer port, or a trace of any format that `score` reads, and back
 * `{score, label, explanation, version, runs}`. @throws UsageError for rules that are none, and what
 * the system says of a port that cannot be had
 */
export async function serveScores(options: {
  readonly rules?: string | undefined;
  readonly port?: number | undefined;
}): Promise<ScoreServer> {
  const rules = options.rules === undefined ? null : readTraceRules(options.rules);
  const door: Door = {
    name: 'score',
    handle: (request) => (request.path === '/score' ? answer(request, rules) : null),
  };
  const listening: Listening = await listen([door], { port: options.port ?? 0 });
  return { url: `${listening.url}/score`, close: () => listening.close() };
}

async function answer(request: DoorRequest, rules: TraceRules | null): Promise<void> {
  if (request.method !== 'POST') {
    const body = { error: 'POST a run to /score' };
    return answerJson(request.response, 405, { body, headers: { allow: 'POST' } });
  }
  const text = (await request.body()).toString('utf8');
  try {
    return answerJson(request.response, 200, { body: replyFor(text, rules) });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return answerJson(request.response, 400, { body: { error: error.describe() } });
  }
}

function replyFor(text: string, rules: TraceRules | null): JsonObject {
  const { id, runs } = runsOf(text);
  const scored = runs.map((run) => scoreRun(run, rules));
  const judged = scored
    .flatMap(({ invariants }) => invariants)
    .filter(({ verdict }) => verdict !== 'not-run');
  const broken = judged.filter(({ verdict }) => verdict === 'fail');
  const [first] = broken;
  return {
    ...(id !== null && { id }),
    score: judged.length === 0 ? null : 1 - broken.length / judged.length,
    label: judged.length === 0 ? 'not judged' : broken.length === 0 ? 'held' : 'broken',
    explanation:
      judged.length === 0
        ? 'no invariant could be held against this run'
        : first
          ? `${first.id}: ${first.witnesses[0]?.message ?? 'broken'}`
          : `${judged.length} invariants hold`,
    version: `groundhog ${VERSION}`,
    runs: scored.map(({ metrics, invariants }) => ({ metrics, invariants }) as unknown as Json),
  };
}

/** A request of the port, or whatever trace it is. @throws UsageError */
function runsOf(text: string): { readonly id: string | null; readonly runs: readonly TraceRun[] } {
  const value = jsonOf(text);
  if (!isJsonObject(value) || !Array.isArray(value.calls)) {
    return { id: null, runs: readTraces('the body', text) };
  }
  const messages = messagesOf(value);
  const [run] = readTraces('the body', JSON.stringify({ messages }), 'openai-chat');
  return { id: typeof value.id === 'string' ? value.id : null, runs: run ? [asTold(run, value)] : [] };
}

/** A run with what chat messages cannot say: failures, arguments that nobody kept, who spoke when. */
function asTold(run: TraceRun, { calls, messages }: JsonObject): TraceRun {
  const told = (calls as readonly Json[]).filter(isJsonObject);
  const said = Array.isArray(messages) ? (messages as readonly Json[]).flatMap(messageOf) : [];
  return {
    ...run,
    calls: run.calls.map((call, index) => {
      const { failed, arguments: given } = told[index] ?? {};
      return {
        ...call,
        ...(typeof failed === 'boolean' && { failed }),
        ...(given === null && { arguments: { kind: 'not-captured' } as const }),
      };
    }),
    ...(said.length > 0 && { messages: said }),
  };
}

function messageOf(message: Json): TraceRun['messages'] {
  if (!isJsonObject(message)) return [];
  const { role, text, afterCall } = message;
  const isMessage =
    (role === 'user' || role === 'agent') && typeof text === 'string' && Number.isSafeInteger(afterCall);
  return isMessage ? [{ role, text, afterCall: afterCall as number }] : [];
}

/** The messages that a run of the port stands for. */
function messagesOf({ task, calls, answer }: JsonObject): readonly Json[] {
  const made = (calls as readonly Json[]).filter(isJsonObject).flatMap((call, index): Json[] => {
    const id = `call_${index}`;
    const { arguments: given = {}, tool = '', result = null } = call;
    const text = typeof given === 'string' ? given : JSON.stringify(given ?? {});
    const shown = typeof result === 'string' ? result : JSON.stringify(result);
    return [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name: tool, arguments: text } }],
      },
      // Null stands for a result that is not in the trace.
      ...(result === null ? [] : [{ role: 'tool', tool_call_id: id, content: shown }]),
    ];
  });
  return [
    ...(typeof task === 'string' ? [{ role: 'user', content: task }] : []),
    ...made,
    ...(typeof answer === 'string' ? [{ role: 'assistant', content: answer }] : []),
  ];
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
