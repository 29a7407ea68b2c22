import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import type { CassetteMode } from '../llm/cassette.ts';
import { modelOf, REQUEST, replyOf } from '../llm/models.test-kit.ts';
import { ChatError, type ChatModel, type ChatReply, type ChatRequest } from '../llm/types.ts';
import { Cassettes } from './cassettes.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'groundhog-cassettes-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const SECRET = 'secret-value-42';
const cassettes = (mode: CassetteMode, folder = directory) =>
  new Cassettes(folder, mode, { secrets: [SECRET] });

const never = modelOf(() => {
  throw new Error('the network was touched');
});

function file(scenario = 'refund', trial = 0): string {
  return cassettes('replay').path({ scenario, trial });
}

const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n');

/** A conversation: each reply is heard back, and answered by the next of the texts. */
async function converse(model: ChatModel, texts: readonly string[]): Promise<ChatReply[]> {
  const replies: ChatReply[] = [];
  let messages: ChatRequest['messages'] = [];
  for (const text of texts) {
    messages = [...messages, { role: 'user', text }];
    const reply = await model.complete({ ...REQUEST, messages });
    replies.push(reply);
    messages = [...messages, { role: 'assistant', text: reply.text, calls: reply.calls }];
  }
  return replies;
}

const echo = () => modelOf(({ messages }, index) => replyOf(`${index}: ${JSON.stringify(messages.at(-1))}`));

describe('a cassette', () => {
  it('gives every recorded conversation again, byte for byte and without the model', async () => {
    const call = fc.record({ id: fc.string(), name: fc.string(), arguments: fc.string() });
    const turn = fc.record({
      asked: fc.string(),
      text: fc.string(),
      calls: fc.array(call, { maxLength: 2 }),
    });
    const tokens = fc.option(fc.nat());
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), tokens, async (turns, inputTokens) => {
        const folder = join(directory, `run-${run++}`);
        const model = modelOf((_, index) => {
          const { text = '', calls = [] } = turns[index] ?? {};
          return { ...replyOf(text, { inputTokens }), calls };
        });
        const asked = turns.map((one) => one.asked);
        const recorded = await converse(cassettes('record', folder).forTrial('s', 1)(model), asked);
        const path = cassettes('replay', folder).path({ scenario: 's', trial: 1 });
        const bytes = readFileSync(path, 'utf8');
        for (const mode of ['replay', 'auto'] as const) {
          const replayed = await converse(cassettes(mode, folder).forTrial('s', 1)(never), asked);
          expect(JSON.stringify(replayed)).toBe(JSON.stringify(recorded));
        }
        expect(readFileSync(path, 'utf8')).toBe(bytes);
        expect(bytes.split('\n')).toHaveLength(turns.length + 1);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps repeats of one scenario apart, and each model, setting and turn', async () => {
    const trial = (n: number) => cassettes('auto').forTrial('refund', n);
    const model = modelOf((_, index) => replyOf(`reply ${index}`));
    await trial(0)(model).complete(REQUEST);
    await trial(1)(model).complete(REQUEST);
    expect(readdirSync(directory).sort()).toEqual(['refund.0.jsonl', 'refund.1.jsonl']);
    const replayed = await Promise.all([0, 1].map((n) => trial(n)(never).complete(REQUEST)));
    expect(replayed.map(({ text }) => text)).toEqual(['reply 0', 'reply 1']);
    const twice = trial(0)(model);
    expect([(await twice.complete(REQUEST)).text, (await twice.complete(REQUEST)).text]).toEqual([
      'reply 0',
      'reply 2',
    ]);
    for (const other of [{ seed: 1 }, { temperature: 0 }, { maxOutputTokens: 51 }, { system: 'Be long.' }]) {
      const replay = cassettes('replay').forTrial('refund', 1)(never);
      await expect(replay.complete({ ...REQUEST, ...other })).rejects.toMatchObject({ kind: 'not-recorded' });
    }
    const renamed = modelOf(() => replyOf('x'), 'openai:other');
    await expect(cassettes('replay').forTrial('refund', 1)(renamed).complete(REQUEST)).rejects.toThrow(
      'turn 0 of refund#1 is not recorded: that turn was asked something else',
    );
  });

  it('that has nothing more ends a replay in one sentence, and never asks the model', async () => {
    await converse(cassettes('record').forTrial('refund', 0)(echo()), ['one', 'two']);
    const model = cassettes('replay').forTrial('refund', 0)(never);
    const error = await converse(model, ['one', 'two', 'three']).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ChatError);
    expect(error).toMatchObject({
      kind: 'not-recorded',
      message: 'turn 2 of refund#0 is not recorded: the cassette ends before it',
    });
    const empty = cassettes('replay', join(directory, 'nowhere')).forTrial('refund', 0)(never);
    await expect(empty.complete(REQUEST)).rejects.toThrow('there is no cassette of that trial');
    expect(existsSync(join(directory, 'nowhere'))).toBe(false);
    expect(never.asked).toEqual([]);
  });

  it('goes on where it ends when the model may be asked', async () => {
    await converse(cassettes('auto').forTrial('refund', 0)(echo()), ['one', 'two']);
    const model = echo();
    const replies = await converse(cassettes('auto').forTrial('refund', 0)(model), ['one', 'two', 'three']);
    expect(model.asked).toHaveLength(1);
    expect(replies).toEqual(
      await converse(cassettes('replay').forTrial('refund', 0)(never), ['one', 'two', 'three']),
    );
    expect(linesOf(file())).toHaveLength(3);
  });

  it('can be recorded anew: the newest reply counts', async () => {
    await cassettes('record')
      .forTrial(
        'refund',
        0,
      )(modelOf(() => replyOf('old')))
      .complete(REQUEST);
    await cassettes('record')
      .forTrial(
        'refund',
        0,
      )(modelOf(() => replyOf('new')))
      .complete(REQUEST);
    expect((await cassettes('replay').forTrial('refund', 0)(never).complete(REQUEST)).text).toBe('new');
  });

  it('is taken up at any turn', async () => {
    const steps = cassettes('auto').forTrial('refund', 0);
    const model = echo();
    const at = (turn: number) => steps(model, { firstTurn: turn }).complete(REQUEST);
    const [third, first] = [await at(3), await at(1)];
    const replay = cassettes('replay').forTrial('refund', 0);
    expect(await replay(never, { firstTurn: 1 }).complete(REQUEST)).toEqual(first);
    expect(await replay(never, { firstTurn: 3 }).complete(REQUEST)).toEqual(third);
    await expect(replay(never, { firstTurn: 2 }).complete(REQUEST)).rejects.toThrow('turn 2');
  });

  it('keeps nothing of a request that failed, which may be asked again', async () => {
    let failures = 2;
    const model = modelOf(() => {
      failures -= 1;
      if (failures >= 0) throw new ChatError('overloaded', 'no');
      return replyOf('at last');
    });
    const recorded = cassettes('auto').forTrial('refund', 0)(model);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(recorded.complete(REQUEST)).rejects.toMatchObject({ kind: 'overloaded' });
    }
    expect(existsSync(file())).toBe(false);
    await recorded.complete(REQUEST);
    expect((await cassettes('replay').forTrial('refund', 0)(never).complete(REQUEST)).text).toBe('at last');
  });
});

describe('the file of a cassette', () => {
  it('holds what was asked once, however long the conversation gets', async () => {
    await converse(cassettes('record').forTrial('refund', 0)(echo()), ['first words', 'second', 'third']);
    const lines = linesOf(file());
    const exchanges = lines.map((line) => JSON.parse(line));
    expect(exchanges.map(({ key, turn }) => ({ key, turn }))).toEqual(
      [0, 1, 2].map((turn) => ({ key: { scenario: 'refund', trial: 0 }, turn })),
    );
    expect(exchanges[0].request).toEqual({
      ...REQUEST,
      messages: [{ role: 'user', text: 'first words' }],
      model: 'openai:some-model',
    });
    expect(exchanges[2].request.after).toBe(exchanges[1].requestHash);
    expect(exchanges[2].request.messages).toHaveLength(2);
    expect(lines.filter((line) => line.includes('Be brief.'))).toHaveLength(1);
  });

  it('holds no secret, whether in prompt, history, arguments or reply; a replay goes the same way', async () => {
    const leaking = modelOf(({ messages }, index) => ({
      ...replyOf(`the key is ${SECRET}, turn ${index} after ${messages.length}`),
      calls: [
        { id: `c${index}`, name: 'login', arguments: JSON.stringify({ header: 'Bearer a1b2c3d4e5f6' }) },
      ],
    }));
    const asked = [`my key: sk-live-0123456789abcdefgh and ${SECRET}`, `and ${SECRET} again?`, 'thanks'];
    const recorded = await converse(cassettes('record').forTrial('refund', 0)(leaking), asked);
    const text = readFileSync(file(), 'utf8');
    for (const part of [SECRET, 'sk-live-0123456789', 'a1b2c3d4e5f6']) expect(text).not.toContain(part);
    expect(recorded[0]?.text).toBe('the key is [masked], turn 0 after 1');
    expect(JSON.parse(recorded[0]?.calls[0]?.arguments ?? '')).toEqual({ header: '[masked]' });
    expect(await converse(cassettes('replay').forTrial('refund', 0)(never), asked)).toEqual(recorded);
  });

  it('is found by somebody whose secrets are others', async () => {
    const mine = new Cassettes(directory, 'record', { secrets: ['my-secret-0815'] });
    await mine
      .forTrial(
        'refund',
        0,
      )(modelOf(() => replyOf('ok')))
      .complete({ ...REQUEST, system: 'my-secret-0815' });
    const theirs = new Cassettes(directory, 'replay', { secrets: ['their-secret-4711'] });
    const replay = theirs.forTrial('refund', 0)(never);
    expect((await replay.complete({ ...REQUEST, system: 'their-secret-4711' })).text).toBe('ok');
  });

  it('may be torn anywhere in its last line: only that exchange is lost, and is recorded again', async () => {
    const texts = ['one', 'zwei ü', 'three'];
    const whole = await converse(cassettes('record').forTrial('refund', 0)(echo()), texts);
    const bytes = readFileSync(file());
    const lastLine = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
    for (let length = lastLine; length < bytes.length; length += 29) {
      writeFileSync(file(), bytes.subarray(0, length));
      const replay = cassettes('replay').forTrial('refund', 0);
      await expect(converse(replay(never), texts)).rejects.toMatchObject({ kind: 'not-recorded' });
      const model = modelOf(() => whole[2] ?? replyOf('none'));
      expect(await converse(cassettes('auto').forTrial('refund', 0)(model), texts)).toEqual(whole);
      expect(model.asked).toHaveLength(1);
      expect(readFileSync(file()).equals(bytes)).toBe(true);
    }
  });

  it('is refused with file and line where it is none, or is one of another trial', async () => {
    await converse(cassettes('record').forTrial('refund', 0)(echo()), ['one']);
    writeFileSync(file('refund', 1), readFileSync(file()));
    const open = (trial: number) => () => cassettes('auto').forTrial('refund', trial);
    expect(open(1)).toThrow('the exchange is one of refund#0, not of this trial');
    appendFileSync(file(), '{"key": 1}\n');
    expect(open(0)).toThrow(UsageError);
    expect(open(0)).toThrow(/key/u);
  });

  it('ends a run before anything is asked where it cannot be written, and needs no writing to replay', () => {
    const place = join(directory, 'a-file');
    writeFileSync(place, '');
    for (const mode of ['auto', 'record'] as const) {
      expect(() => cassettes(mode, place).forTrial('refund', 0)).toThrow(
        expect.objectContaining({
          code: 'unwritable',
          message: 'it cannot be written: its folder is a file',
        }),
      );
    }
    cassettes('replay', join(directory, 'none')).forTrial('refund', 0);
    expect(existsSync(join(directory, 'none'))).toBe(false);
  });

  it('that can no longer be written is no deed of the agent', async () => {
    const model = cassettes('auto', join(directory, 'gone')).forTrial('refund', 0)(echo());
    rmSync(join(directory, 'gone'), { recursive: true });
    await expect(model.complete(REQUEST)).rejects.toThrow(UsageError);
  });

  it('has a name that any scenario may have', async () => {
    await cassettes('record').forTrial('a/../b c', 0)(echo()).complete(REQUEST);
    expect(readdirSync(directory)).toEqual(['a%2F..%2Fb%20c.0.jsonl']);
  });
});
