import { describe, expect, it } from 'vitest';
import { servedSource } from '../../runner/served.ts';
import type { AgentTool } from '../host/episode-tools.ts';
import { HostedEpisode } from '../host/index.ts';
import { collectRecord, shimSource, toolsOfSource } from './index.ts';
import { identifiers, literal, pythonType } from './python.ts';

/** What is written for trainers: records of episodes, and a class in Python. */

describe('a collect record', () => {
  it('tells an episode in the words of a chat model', async () => {
    const source = await servedSource({ scenarios: ['helpdesk'] });
    const environment = source.open({ scenario: 'anger-open-orders', trial: 2 });
    const episode = HostedEpisode.open(environment);
    for (const order_id of ['none', '88213']) {
      const call = { tool: 'lookup_order', input: { order_id }, batch: 'one' };
      episode.apply({ type: 'call', call, door: 'openenv' });
    }
    episode.apply({ type: 'say', text: 'I am looking.' });
    episode.apply({ type: 'end', reason: 'answer', answer: 'Done.' });
    const { finished, verdict } = episode;
    if (!finished) throw new Error('not finished');
    const record = collectRecord({ trajectory: finished, verdict, policy: 'Be kind.', extra: { run: 'r1' } });
    expect(record).toMatchObject({
      episode_id: 'anger-open-orders#2',
      reward: 0,
      done: true,
      task: environment.task?.text,
      metrics: { tool_calls: 2, turns: 1, end_reason: 'answer' },
      verify_metrics: { success: false, void: null },
      extra: { run: 'r1', trial: 2, seal: finished.end?.seal },
    });
    expect(record.messages).toMatchObject([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: environment.task?.text },
      { role: 'user', content: environment.user?.opening },
      {
        role: 'assistant',
        tool_calls: [
          {
            id: 'call_0',
            type: 'function',
            function: { name: 'lookup_order', arguments: '{"order_id":"none"}' },
          },
          { id: 'call_1' },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', name: 'lookup_order', content: /order_not_found/u },
      { role: 'tool', tool_call_id: 'call_1' },
      { role: 'assistant', content: 'I am looking.' },
      { role: 'user' },
      { role: 'assistant', content: 'Done.' },
    ]);
    expect(record.tool_trace).toMatchObject([
      {
        tool_name: 'lookup_order',
        arguments: { order_id: 'none' },
        result: { done: false, error: /^order_not_found: /u, metadata: { status: 404, outcome: 'error' } },
      },
      { result: { done: true, error: null, data: { order_id: '88213' } } },
    ]);
    expect(JSON.parse(JSON.stringify(record))).toEqual(record);
  });

  it('shows what was delivered, and gives no reward where nothing is right or wrong', async () => {
    const source = await servedSource({ services: ['notes'] });
    const rule = { id: 'lost', match: {}, effect: { kind: 'response-lost' as const }, label: 'lost' };
    const episode = HostedEpisode.open(source.open({ services: ['notes'], faults: { rules: [rule] } }));
    episode.apply({ type: 'call', call: { tool: 'list_notes', input: {} }, door: 'openenv' });
    const { trajectory, verdict } = episode.asIfEnded(null);
    const record = collectRecord({ trajectory, verdict });
    expect(record).toMatchObject({ episode_id: 'notes/small#0', reward: null, task: null });
    expect(record.tool_trace).toMatchObject([{ result: { data: null, error: 'timeout' } }]);
    expect(record.messages.at(-1)).toMatchObject({ role: 'tool', content: 'The call timed out.' });
  });
});

function tool(
  name: string,
  properties: object,
  required: readonly string[] = [],
  description = 'Does.',
): AgentTool {
  const inputSchema = { type: 'object', properties, required } as unknown as AgentTool['inputSchema'];
  return { name, description, inputSchema, effect: 'read', kind: 'service' };
}

describe('the class for trainers', () => {
  it('has names that Python takes, and hands the tools’ own on', () => {
    expect(identifiers(['reset', 'a-b', 'a_b', 'class', '2fa', '_x', '日本'], ['reset'])).toEqual([
      'reset_',
      'a_b',
      'a_b_',
      'class_',
      'n_2fa',
      'x',
      'n_',
    ]);
    const source = shimSource({
      world: 'my world/small',
      url: 'http://127.0.0.1:1',
      tools: [tool('close', { from: { type: 'string' }, self: { type: 'integer' } }, ['from'])],
    });
    expect(source).toContain('class MyWorldSmallEnv:');
    expect(source).toContain('def close_(self, from_: str, self_: Optional[int] = None) -> str:');
    expect(source).toContain('arguments = {"from": from_}');
    expect(source).toContain('arguments["self"] = self_');
    expect(source).toContain('self._call("close", arguments)');
  });

  it('is written for an address that a server can have', () => {
    for (const url of ['foo', '', 'ftp://host', 'http://']) {
      expect(() => shimSource({ world: 'w', tools: [], url })).toThrow('no address of a server');
    }
    expect(shimSource({ world: 'w', tools: [], url: 'https://trainer' })).toContain('"https://trainer"');
  });

  it('lets no description out of its docstring', () => {
    const evil = 'Ends """ here\nimport os \\';
    const source = shimSource({
      world: 'w',
      tools: [tool('t', { a: { type: 'string', description: evil } }, [], evil)],
    });
    expect(source).toContain('"""Ends \\"\\"\\" here import os \\\\\n');
    expect(source.match(/(?<!\\)"""/gu)?.length).toBe(8);
    expect(literal('é"\n😀')).toBe('"\\u00e9\\"\\n\\U0001f600"');
  });

  it('types arguments as far as hints can', () => {
    const root = { $defs: { Line: { type: 'object' } } };
    const typed = (schema: object): string => pythonType(schema as never, root);
    expect(typed({ type: 'array', items: { type: 'integer' } })).toBe('list[int]');
    expect(typed({ type: ['string', 'null'] })).toBe('Optional[str]');
    expect(typed({ anyOf: [{ type: 'number' }, { type: 'string' }] })).toBe('Union[float, str]');
    expect(typed({ $ref: '#/$defs/Line' })).toBe('dict[str, Any]');
    expect(typed({ enum: ['a', 'b'] })).toBe('str');
    expect(typed({ const: true })).toBe('bool');
    expect(typed({})).toBe('Any');
  });

  it('is made for every tool of a source', async () => {
    const source = await servedSource({ services: ['notes'] });
    const tools = toolsOfSource(source);
    const text = shimSource({ world: 'notes', tools });
    for (const { name } of tools) expect(text).toContain(`    def ${name}(self`);
    expect(text).not.toContain('def submit_answer');
  });
});
