import type { Finding } from './types.ts';
import type { CallView, RunView } from './view.ts';
import { phrases, stemsOf } from './words.ts';

/** Calls made again with the same arguments though nothing failed, changed or was said in between. */
export function repetitions(view: RunView): Finding[] {
  const last = new Map<string, CallView>();
  const findings: Finding[] = [];
  for (const call of view.calls) {
    const earlier = last.get(call.key);
    last.set(call.key, call);
    if (earlier === undefined || call.carriesReply || !earlier.ok || hasReason(view, earlier, call)) continue;
    findings.push({
      step: call.index,
      kind: call.write ? 'duplicate_effect' : 'repetition',
      rule: call.write ? 'repetition.write' : 'repetition.read',
      subject: call.operation,
      evidence: `${call.call.tool} as at step ${earlier.index}, which had succeeded; nothing changed since`,
    });
  }
  return findings;
}

/** A change since, or a word of the user, is a reason to look again; only a word is one to write again. */
function hasReason(view: RunView, earlier: CallView, call: CallView): boolean {
  const spoken = view.run.messages.some(
    ({ role, afterCall }) => role === 'user' && afterCall > earlier.index && afterCall <= call.index,
  );
  if (spoken) return true;
  const between = view.calls.slice(earlier.index + 1, call.index);
  if (call.write) return between.some(({ write, ok }) => write && ok);
  return between.some(({ write }) => write) || isCutShort(earlier);
}

/** A body that came malformed is fetched again with reason. */
function isCutShort({ output }: CallView): boolean {
  return output === null || output === undefined || (typeof output === 'string' && /^\s*[[{]/.test(output));
}

const CLAUSE_END = new RegExp(
  `[.;,]|${
    phrases(
      'before|so|because|since|after|once|until|rather|instead|then|if',
      'with|for|of|about|from|in|on|at|by',
    ).source
  }`,
  'i',
);

/**
 * What is done now, and to what: the words up to the first preposition or subordinate clause. Nothing where
 * it is denied.
 */
function directObject(thought: string): string {
  const [clause = ''] = thought.split(CLAUSE_END);
  return /\b(?:not|no|without|never)\b/i.test(clause) ? '' : clause;
}

const EMPTY = new Set([
  'get',
  'list',
  'read',
  'the',
  'an',
  'it',
  'id',
  'by',
  'to',
  'of',
  'in',
  'for',
  'info',
  'detail',
]);

/** What was said before a call against the call: names another tool's subject, and nothing of this one's. */
export function reasoningAgainstCalls(view: RunView): Finding[] {
  const tools = [
    ...new Set([...view.run.tools.map(({ name }) => name), ...view.calls.map(({ call }) => call.tool)]),
  ];
  const subjects = new Map(tools.map((tool) => [tool, stemsOf(tool).filter((word) => !EMPTY.has(word))]));
  return view.calls.flatMap((call): Finding[] => {
    const { thought, tool } = call.call;
    if (thought === null || thought.length > 300) return [];
    const words = stemsOf(directObject(thought));
    const said = new Set(words);
    const head = words.at(-1) ?? '';
    if ((subjects.get(tool) ?? []).some((word) => said.has(word))) return [];
    // A single other tool whose whole subject is named, the last word of all in it: of a refund policy it is
    // the policy that counts.
    const named = tools.filter((other) => {
      const own = subjects.get(other) ?? [];
      return own.includes(head) && own.every((word) => said.has(word));
    });
    const [only] = named;
    if (named.length !== 1 || only === undefined || only === tool) return [];
    return [
      {
        step: call.index,
        kind: 'wrong_tool',
        rule: 'reasoning.tool',
        subject: call.operation,
        evidence: `the agent spoke of what ${only} does, and called ${tool}`,
      },
    ];
  });
}
