import { expect, it } from 'vitest';
import { callOptions } from './prompt.ts';

/** What is sent of a call that a model made with these arguments. */
function sentOf(text: string): unknown {
  const calls = [{ id: 'a', name: 'refund', arguments: text }];
  const messages = [{ role: 'assistant', text: '', calls }] as const;
  const request = { system: '', messages, tools: [], maxOutputTokens: 1 };
  const { prompt } = callOptions(request, new AbortController().signal);
  const [
    {
      content: [call],
    },
  ] = JSON.parse(JSON.stringify(prompt)) as [{ content: [{ input: unknown }] }];
  return call.input;
}

it('arguments go back as they came where they are an object, and as none where they cannot be sent', () => {
  expect(sentOf('{"order_id": "1", "lines": [[1], {}]}')).toEqual({ order_id: '1', lines: [[1], {}] });
  expect(sentOf('{"order_id": ')).toEqual({});
  expect(sentOf('[1]')).toEqual({});
  // Deeper than what turns data into text can follow.
  for (const depth of [600, 20_000, 200_000]) {
    expect(sentOf(`{"a": ${'['.repeat(depth)}${']'.repeat(depth)}}`)).toEqual({});
  }
});
