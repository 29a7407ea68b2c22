import { z } from 'zod';
import type { Operation } from '../../../service/index.ts';
import { argumentsOf, raising, textArgument } from '../arguments.ts';
import { calculate, hasOnlyArithmetic } from '../arithmetic.ts';
import { operation } from '../operation.ts';

const CALCULATE = 'Calculate';
const THINK = 'Think';
const TRANSFER = 'TransferToHumanAgents';

const calculateOperation = operation({
  id: 'calculate',
  summary: 'Works out an arithmetic expression and rounds the result to two places.',
  effect: 'read',
  http: { method: 'POST', path: '/tools/calculate' },
  input: argumentsOf(CALCULATE, {
    expression: textArgument(CALCULATE, 'Digits, + - * /, brackets and spaces, such as (120 + 95) * 2.'),
  }),
  output: z.string(),
  example: { expression: '(120 + 95) * 2' },
  errors: ['invalid_characters', 'exception'],
  run(ctx, { expression }) {
    if (!hasOnlyArithmetic(expression)) return ctx.fail('invalid_characters');
    return raising(ctx.fail, () => calculate(expression));
  },
});

const think = operation({
  id: 'think',
  summary: 'Notes a thought. It finds nothing out and changes nothing; use it to reason before acting.',
  effect: 'read',
  http: { method: 'POST', path: '/tools/think' },
  input: argumentsOf(THINK, { thought: textArgument(THINK, 'The thought.') }),
  output: z.literal(''),
  example: { thought: 'The fare is refundable only with insurance.' },
  errors: [],
  run: () => '' as const,
});

/** A write without rows: the conversation leaves this world, which the event records. */
const transferToHumanAgents = operation({
  id: 'transfer_to_human_agents',
  summary:
    'Hands the customer over to a person, with a summary. Only for what the tools and policy cannot do.',
  effect: 'write',
  http: { method: 'POST', path: '/tools/transfer_to_human_agents' },
  input: argumentsOf(TRANSFER, { summary: textArgument(TRANSFER, 'What the customer needs, in short.') }),
  output: z.literal('Transfer successful'),
  example: { summary: 'The customer wants to add an infant, which no tool can do.' },
  errors: [],
  run(ctx, { summary }) {
    ctx.emit({ type: 'transferred_to_human', data: { summary } });
    return 'Transfer successful' as const;
  },
});

export const conversationOperations: readonly Operation[] = [
  calculateOperation,
  think,
  transferToHumanAgents,
];
