import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { isJsonObject, type Json } from '../base/json.ts';
import { readTraces } from './index.ts';
import { parsePythonLiteral } from './python-literal.ts';

describe('files that hold no trace', () => {
  it.each([
    ['nothing', '', 'a.json:1:1: the file is empty'],
    ['text', 'hello', 'a.json:1:1: this is not JSON'],
    [
      'JSON that is cut short',
      '[{"role": "user",\n "content": "h',
      'a.json:2:15: the JSON is cut short here',
    ],
    ['a bad line', '{"role":"user"}\n{"role": oops}', 'a.json:2:10: this is not JSON'],
    ['something else', '{"name": "x"}', 'a.json:1:1: this is no trace of a format that is read'],
    ['an empty list', '[]', 'a.json:1:1: the file is an empty list: there is no run in it'],
    [
      'an error',
      '{"error": {"message": "no"}}',
      'a.json:1:1: the file is an error answer of an API, and no run',
    ],
    ['metrics', '{"resourceMetrics": []}', 'a.json:1:1: this is no trace of a format that is read'],
    [
      'spans of a web server',
      '[{"traceId":"a","spanId":"b","name":"GET"}]',
      'a.json:1:1: no span of the file tells',
    ],
  ])('%s is refused at its place', (_what, text, message) => {
    let thrown: unknown;
    try {
      readTraces('a.json', text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UsageError);
    expect((thrown as UsageError).describe()).toContain(message);
  });

  it('are refused as the format that was asked for', () => {
    const chat = '[{"role":"user","content":"hi"}]';
    expect(readTraces('a.json', chat)[0]?.format).toBe('openai-chat');
    expect(() => readTraces('a.json', chat, 'otlp')).toThrow('no trace of the format otlp');
  });
});

describe('Python literals', () => {
  it.each([
    [
      "{'city': 'A\\'s', \"n\": [1, -2.5, True, None], 't': ('x',)}",
      { city: "A's", n: [1, -2.5, true, null], t: ['x'] },
    ],
    ["{'a': {}}", { a: {} }],
  ])('%s', (text, value) => expect(parsePythonLiteral(text)).toEqual(value));

  it.each(["{'a': <object at 0x1>}", "{'a': ", "['a' 'b']", 'Order(7)', ''])('%s is none', (text) =>
    expect(parsePythonLiteral(text)).toBeUndefined(),
  );
});

/** Real files of these formats, where they are at hand: see CONTRIBUTING.md. */
const RECORDED = new URL('../../../shared/traces', import.meta.url).pathname;
const FOLDERS = [
  'provider-messages',
  'openinference',
  'ai-sdk/v6-spans',
  'otlp',
  'langfuse',
  'atif',
  'sweagent',
];

describe.skipIf(!existsSync(RECORDED))('recorded traces (skipped where ../shared/traces is absent)', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(RECORDED, folder)).map((name) => join(RECORDED, folder, name)),
  );

  it.each(files.map((file) => [file.slice(RECORDED.length + 1), file]))(
    '%s is read or refused',
    (name, file) => {
      const text = readFileSync(file, 'utf8');
      let refused: unknown;
      try {
        const runs = readTraces(name, text);
        expect(runs.length).toBeGreaterThan(0);
        for (const { calls, losses } of runs) {
          const open = calls.filter(({ result }) => result === null).length;
          expect(losses.find(({ kind }) => kind === 'call-without-result')?.count ?? 0).toBe(open);
        }
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        refused = error;
        expect(error.place).toMatchObject({
          file: name,
          line: expect.any(Number),
          column: expect.any(Number),
        });
      }
      // What has a run in it must not be refused: these formats are the ones that are read.
      if (/^(?:provider-messages|openinference)/u.test(name))
        expect(refused === undefined).toBe(!isError(text));
    },
  );

  it('bodies of providers have as many calls as a count of their call blocks', () => {
    const folder = join(RECORDED, 'provider-messages');
    const counts = readdirSync(folder).flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      if (isError(text)) return [];
      const [run] = readTraces(name, text);
      return [{ name, calls: run?.calls.length, counted: countBlocks(JSON.parse(text) as Json) }];
    });
    expect(counts.map(({ name, calls }) => [name, calls])).toEqual(
      counts.map(({ name, counted }) => [name, counted]),
    );
    expect(counts.reduce((sum, { counted }) => sum + counted, 0)).toBeGreaterThan(100);
  });

  it('spans have as many calls as distinct call ids that tools and models name', () => {
    const folder = join(RECORDED, 'openinference');
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      const ids = readTraces(name, text).flatMap(({ calls }) => calls.map(({ id }) => id));
      expect(ids.every((id) => id !== null && text.includes(id))).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
      // Ids as the providers write them, wherever they stand: in an attribute, a name, or text within text.
      const named = text.match(/\b(?:toolu_\w+|tooluse_\w+|call_\w{24}|tc_\d+|uwpsprd2)/gu) ?? [];
      expect(new Set(ids)).toEqual(new Set(named));
    }
  });
});

const TAU = new URL('../../../shared/tau/recorded/gpt-4o-airline.trials-0-1.json', import.meta.url).pathname;

describe.skipIf(!existsSync(TAU))('recorded conversations (skipped where ../shared/tau is absent)', () => {
  it('have every call and every result, each with its own', () => {
    const text = readFileSync(TAU, 'utf8');
    const messages = (JSON.parse(text) as { traj: Message[] }[]).flatMap(({ traj }) => traj);
    const calls = readTraces('tau.json', text).flatMap((run) => run.calls);
    const made = messages.flatMap(({ tool_calls }) => tool_calls ?? []);
    expect(calls.map(({ tool, id }) => [tool, id])).toEqual(
      made.map((call) => [call.function.name, call.id]),
    );
    const got = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    const told = calls.map(({ result }) => result?.value ?? null);
    expect(told.map((value) => JSON.stringify(value))).toEqual(
      got.map((content) => JSON.stringify(/^[[{]/u.test(content) ? JSON.parse(content) : content)),
    );
    expect(calls.length).toBeGreaterThan(500);
  });
});

interface Message {
  readonly role: string;
  readonly content: string;
  readonly tool_calls?:
    | readonly { readonly id: string; readonly function: { readonly name: string } }[]
    | null;
}

const isError = (text: string): boolean => isJsonObject((JSON.parse(text) as { error?: Json }).error ?? null);

const CALL_BLOCKS = /^(?:tool_use|server_tool_use|mcp_tool_use|program|\w+_call)$/u;

/** Call blocks at the level where a body keeps them; deeper ones are quoted in results. */
function countBlocks(body: Json): number {
  const { content, output } = body as { content?: Json[]; output?: Json[] };
  return (content ?? output ?? []).filter(
    (block) => isJsonObject(block) && CALL_BLOCKS.test(String(block.type)),
  ).length;
}
