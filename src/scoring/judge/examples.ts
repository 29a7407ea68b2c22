import type { Json } from '../../base/json.ts';
import type { DetectCall } from '../detect/types.ts';
import type { JudgedRun } from './types.ts';

/** A question with the reply that a careful judge would give. */
export interface WorkedExample {
  readonly run: JudgedRun;
  readonly step: number | null;
  readonly reply: ExampleReply;
}

interface ExampleReply {
  readonly verdict: 'yes' | 'no';
  readonly confidence: number;
  readonly reason: string;
  readonly step: number | null;
}

/** At most so many for each kind of question, a `no` and a `yes`. */
export const MOST_EXAMPLES = 2;

const POLICY = 'Look a loan up before it is extended. A loan that another reader waits for is not extended.';
const TOOLS = [
  { name: 'find_loan', effect: 'read', inputSchema: null },
  { name: 'waiting_list', effect: 'read', inputSchema: null },
  { name: 'extend_loan', effect: 'write', inputSchema: null },
] as const;

function call(tool: string, input: Json, result: Json): DetectCall {
  return {
    tool,
    arguments: { kind: 'json', value: input },
    result: { value: result },
    failed: false,
    status: 200,
    thought: null,
  };
}

function loanRun(calls: readonly DetectCall[], reply: string): JudgedRun {
  return {
    name: 'example',
    cluster: 'example',
    task: 'Please extend my loan L-14 by two weeks, if that is possible.',
    instructions: POLICY,
    calls,
    messages: [],
    reply,
    ended: 'answer',
    tools: TOOLS,
  };
}

const found = call('find_loan', { loan: 'L-14' }, { loan: 'L-14', book: 'B-3', due: '2031-05-02' });
const nobodyWaits = call('waiting_list', { book: 'B-3' }, { readers: [] });
const somebodyWaits = call('waiting_list', { book: 'B-3' }, { readers: ['R-8'] });
const extended = call('extend_loan', { loan: 'L-14', weeks: 2 }, { loan: 'L-14', due: '2031-05-16' });

const careful = loanRun([found, nobodyWaits, extended], 'Loan L-14 is now due on 2031-05-16.');
const blind = loanRun([extended], 'Loan L-14 is now due on 2031-05-16.');
const heedless = loanRun([found, somebodyWaits, extended], 'Loan L-14 is now due on 2031-05-30.');

const no = (reason: string, step: number | null = null): ExampleReply => ({
  verdict: 'no',
  confidence: 0.95,
  reason,
  step,
});
const yes = (reason: string): ExampleReply => ({ verdict: 'yes', confidence: 0.9, reason, step: null });

const won = (verdict: 'first' | 'second', reason: string) => ({ verdict, confidence: 0.95, reason });

/** Worked examples for each prompt, the order in which they are added. */
export const EXAMPLES = {
  plan: [
    {
      run: blind,
      step: null,
      reply: no(
        'It extends the loan without looking up the loan or who waits for it, as the policy asks.',
        0,
      ),
    },
    {
      run: careful,
      step: null,
      reply: yes('It looks up what the policy asks for, then makes the one change that was asked for.'),
    },
  ],
  choice: [
    {
      run: heedless,
      step: 2,
      reply: no('Step 1 had shown a reader who waits, and the policy then forbids to extend.', 2),
    },
    {
      run: careful,
      step: 1,
      reply: yes('The loan was known; whether somebody waits was the next thing to find out.'),
    },
  ],
  support: [
    {
      run: heedless,
      step: null,
      reply: no('The reply says 2031-05-30, while the result of step 2 says 2031-05-16.', 2),
    },
    {
      run: careful,
      step: null,
      reply: yes('The new date is the one in the result of step 2, and nothing else is claimed.'),
    },
  ],
  outcome: [
    {
      run: loanRun([], 'I have noted your wish. Anything else?'),
      step: null,
      reply: no('The reply neither says that the loan was extended nor why not.'),
    },
    { run: careful, step: null, reply: yes('The reply settles the request within the policy.') },
  ],
} as const satisfies Readonly<Record<string, readonly WorkedExample[]>>;

/** Worked examples for pairs: one for each slot. */
export const PAIR_EXAMPLES = {
  plan: [
    {
      first: blind,
      second: careful,
      reply: won('second', 'Only the second looks up the loan and who waits for it before it extends.'),
    },
    {
      first: careful,
      second: blind,
      reply: won('first', 'Only the first looks up the loan and who waits for it before it extends.'),
    },
  ],
  support: [
    {
      first: heedless,
      second: careful,
      reply: won('second', 'The first states a date that its results contradict; the second states its own.'),
    },
    {
      first: careful,
      second: heedless,
      reply: won('first', 'The second states a date that its results contradict; the first states its own.'),
    },
  ],
} as const;
