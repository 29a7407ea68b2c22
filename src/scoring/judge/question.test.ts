import { describe, expect, it } from 'vitest';
import { readQuestion } from './question.ts';

/** Questions that records answer, and what answers them. */
const COUNTED: readonly (readonly [string, RegExp])[] = [
  ['did it call refund twice?', /`cardinality`.*`duplicates`/u],
  ['Was refund called more than once?', /`cardinality`/u],
  ['How many times did the agent search?', /`cardinality`/u],
  ['How often was the policy looked up?', /`cardinality`/u],
  ['Did it make three refunds?', /`cardinality`/u],
  ['Was the customer charged a second time?', /`cardinality`/u],
  ['Did the assistant create duplicate tickets?', /`duplicates`/u],
  ['Was it sensible to call refund twice?', /`cardinality`/u],
  ['Is the plan sensible, and did it call refund twice?', /`cardinality`/u],
  ['Did the agent issue exactly one refund, no more than once?', /`cardinality`/u],
  ['Is there more than one refund in the run?', /`cardinality`/u],
  ['Did it use the right tool a couple of times?', /`cardinality`/u],
  ['Did it repeat any call?', /`redundant steps`/u],
  ['Did the agent read the same order again?', /`redundant steps`/u],
  ['Did it check the policy before it refunded?', /`ordering`/u],
  ['Was refund issued after the policy was read?', /`ordering`/u],
  ['Is the plan sensible and did it read the policy before the refund?', /`ordering`/u],
  ['Which tool was called first?', /`ordering`/u],
  ['How much did this run cost?', /`cost per success`/u],
  ['How many tokens did it use?', /`cost per success`/u],
  ['Was the run expensive?', /`cost per success`/u],
  ['How long did it take?', /`wall clock/u],
  ['Was it done within 30 seconds?', /`wall clock/u],
  ['How many steps did it need?', /`steps p50/u],
  ['Were there more than ten calls?', /`steps p50/u],
  ['Did it wait as long as Retry-After says?', /`back-off kept`/u],
  ['Did the run end with an answer?', /`termination`/u],
  ['Did it stop?', /`termination`/u],
  ['Did the agent answer at all?', /`termination`/u],
  ['Was the refund amount above 100?', /`arguments`/u],
  ['Is the quantity in the order larger than the stock?', /`arguments`/u],
  ['Did the agent reasonably avoid calling delete_account?', /`prohibition`/u],
  ['Did it ever call delete_account?', /`prohibition`/u],
  ['Did the assistant never touch the invoice?', /`prohibition`/u],
  ['Is the answer consistent with the results, and did it mention order 5?', /`grounding`/u],
  ['Does the answer mention the order id?', /`grounding`/u],
  ['Is every id in the reply one that a tool returned?', /`grounding`/u],
  ['Does the reply contain the word sorry?', /`answer`/u],
  ['Is the final state of the database what was asked for?', /`contract`/u],
  ['Did the order end up refunded?', /`contract`/u],
  ['Did the agent succeed?', /`contract`/u],
  ['Was the task completed?', /`contract`/u],
  ['Did it recover from the error?', /`recovered`/u],
  ['Did it handle the time-out?', /`recovered`/u],
  ['Is it right that refund was called after check_policy?', /`ordering`/u],
  ['Is the answer right?', /`answer`.*`contract`/u],
  ['Did it give the correct answer?', /`answer`/u],
  ['Did it use the search tool?', /`reads`/u],
  ['Was the order cancelled?', /`reads`/u],
];

/** Questions that no program answers, with their kind. */
const ASKED: readonly (readonly [string, 'plan' | 'choice' | 'support', number | null])[] = [
  ['Is the plan sensible?', 'plan', null],
  ['Was the approach reasonable for this task?', 'plan', null],
  ['Does the overall strategy make sense given the policy?', 'plan', null],
  ['Did it go about this in a good way, with a sound plan?', 'plan', null],
  ['Is its order of work sensible?', 'plan', null],
  ['Is the plan well thought out and coherent?', 'plan', null],
  ['Is the course of action appropriate?', 'plan', null],
  ['Was the way the agent went about the refund sensible?', 'plan', null],
  ['Was the plan a wise one before anything was known of the order?', 'plan', null],
  ['Was the tool choice at step 3 defensible given what was known before?', 'choice', 3],
  ['Was it reasonable to call search_orders at step 2?', 'choice', 2],
  ['Is the action in step 0 justified?', 'choice', 0],
  ['Was this the right tool at step 4?', 'choice', 4],
  ['Was the decision at step 1 understandable after that error?', 'choice', 1],
  ['Did the agent choose a suitable tool in step 5?', 'choice', 5],
  ['Was step 7 the best move?', 'choice', 7],
  ['Was calling refund without a look at the policy reasonable?', 'choice', null],
  ['Is the choice of tool defensible?', 'choice', null],
  ['Was it right to escalate, judged by what step 3 had shown?', 'choice', 3],
  ['Is the answer supported by the tool results?', 'support', null],
  ['Are all claims in the reply backed by what the tools returned?', 'support', null],
  ['Does the answer state anything that the tools did not return?', 'support', null],
  ['Does the reply contradict any result?', 'support', null],
  ['Does the conclusion follow from the observations?', 'support', null],
  ['Is anything in the answer made up?', 'support', null],
  ['Is the summary faithful to the tool output?', 'support', null],
  ['Does the response hallucinate facts?', 'support', null],
  ['Is the final statement consistent with the tool results?', 'support', null],
  ['Is what it told the user borne out by the results?', 'support', null],
];

const NEITHER = [
  'Was it polite?',
  'Is the agent friendly to the customer?',
  'Rate the run from one to ten.',
  'What is the capital of France?',
  'Is the tone appropriate?',
  'Is the plan sensible, and was it polite?',
  'Would a customer be happy?',
  '',
];

describe('questions in words', () => {
  it.each(COUNTED)('%s is counted', (question, countedBy) => {
    const read = readQuestion(question);
    expect(read).toMatchObject({ countedBy: expect.stringMatching(countedBy) });
    expect(read).toMatchObject({ reason: expect.stringContaining('counted, not judged') });
  });

  it.each(ASKED)('%s is asked as %s', (question, kind, step) => {
    expect(readQuestion(question)).toEqual({ kind, step });
  });

  it.each(NEITHER)('%j is of none of the kinds', (question) => {
    expect(readQuestion(question)).toMatchObject({
      countedBy: null,
      reason: expect.stringContaining('none of the three kinds'),
    });
  });

  it('are read in whatever case and quotes they come', () => {
    expect(readQuestion('DID IT CALL REFUND TWICE')).toMatchObject({
      countedBy: expect.stringContaining('cardinality'),
    });
    expect(readQuestion('Is the agent’s plan sensible?')).toEqual({ kind: 'plan', step: null });
  });
});
