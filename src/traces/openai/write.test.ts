import { describe, expect, it } from 'vitest';
import { everything } from '../../../test/episodes.ts';
import { readTraces } from '../index.ts';
import { openAiMessages, openAiTools } from './write.ts';

const { trajectory } = everything();

describe('openAiMessages', () => {
  const messages = openAiMessages(trajectory, 'Be kind.');
  const text = `${JSON.stringify({ id: 'one', messages, tools: [] })}\n`;
  const [run] = readTraces('runs.jsonl', text);

  it('reads back as the same calls, in the same turns', () => {
    const own = trajectory.steps.map(({ tool, input, malformed }) => [tool, malformed ?? input]);
    const read = run?.calls.map(({ tool, arguments: given }) => [
      tool,
      given.kind === 'json' ? given.value : given.kind === 'malformed' ? given.text : null,
    ]);
    expect(read).toEqual(own);
    const turns = new Set(run?.calls.map(({ turn }) => turn));
    const batched = trajectory.steps.filter(({ batch }) => batch !== undefined).length;
    expect(batched).toBe(3);
    expect(turns.size).toBe(trajectory.steps.length - batched + 1);
  });

  it('reads back as what the agent was given, not as what truly happened', () => {
    const given = trajectory.steps.map(({ delivered, response }) =>
      delivered?.lost ? 'no answer: the call timed out' : (delivered ?? { body: response }).body,
    );
    expect(given).toContain('no answer: the call timed out');
    expect(run?.calls.map(({ result }) => result?.value)).toEqual(given);
  });

  it('has the system text, the task, what was said, and the answer last', () => {
    expect(messages.slice(0, 3).map(({ role }) => role)).toEqual(['system', 'user', 'user']);
    expect(run?.task).toBe('Use everything once.');
    expect(run?.end).toEqual({ kind: 'answer', text: 'Done ✔' });
    expect(run?.messages.filter(({ role }) => role === 'agent').map((one) => one.text)).toEqual([
      'Working on it.\n\tTwo lines.',
      'Done ✔',
    ]);
    expect(openAiMessages(trajectory, '')[0]?.role).toBe('user');
  });

  it('tells nothing of faults and states', () => {
    expect(text).not.toContain('list is busy');
    expect(text).not.toContain(trajectory.steps[0]?.after);
  });
});

describe('openAiTools', () => {
  it('gives functions with the schema of their arguments', () => {
    const inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
    expect(openAiTools([{ name: 'open', description: 'Opens.', inputSchema }])).toEqual([
      { type: 'function', function: { name: 'open', description: 'Opens.', parameters: inputSchema } },
    ]);
  });
});
