import type { ChatTool } from '../../../llm/index.ts';
import type { AgentTask } from '../../types.ts';

/** Part of a run's configuration: a run is not taken up with other words to the model. */
export const PROMPT_VERSION = 1;

/**
 * What a model is told before the first message: the policy, the time, and how to end. Neither the intent,
 * which is the task already understood, nor what tells one case from another (its name, the seed) is in it.
 */
export function systemPrompt(task: AgentTask, finish: string): string {
  const ending = task.conversational
    ? [
        'You talk with a user: a reply without a tool call is said to them.',
        `When nothing is left to do, call the tool ${finish} with your final answer: that ends it.`,
        `\nYour task: ${task.text}`,
      ]
    : [
        'Do the task with your tools.',
        'When it is done, write your final answer without a tool call; that ends your work.',
      ];
  return [task.policy, `It is ${task.now}.`, ending.join('\n')].filter((part) => part !== '').join('\n\n');
}

/** The name of the tool that ends a conversation: none of the task's own. */
export function finishName(task: AgentTask): string {
  const taken = new Set(task.tools.map(({ name }) => name));
  let name = 'finish';
  while (taken.has(name)) name = `${name}_conversation`;
  return name;
}

/** The offered tools, and in a conversation the one that ends it. */
export function chatTools(task: AgentTask, finish: string): ChatTool[] {
  const tools = task.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  if (!task.conversational) return tools;
  return [
    ...tools,
    {
      name: finish,
      description: 'Ends the conversation with your final answer.',
      inputSchema: {
        type: 'object',
        properties: { answer: { type: 'string', description: 'What you did, in a sentence or two.' } },
        required: ['answer'],
      },
    },
  ];
}
