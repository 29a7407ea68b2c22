/**
 * Records the cassettes of `examples/models` from the stub server of the tests: whole trials of one scenario,
 * and the same step by step.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBank } from '../src/runner/bank.ts';
import { runBank } from '../src/runner/run.ts';
import { runStepwiseBank } from '../src/runner/stepwise-run.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import { asksFor, says, startStubLlm } from '../test/stub-llm/index.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const CASSETTES = join(ROOT, 'examples/models/cassettes');
const LOOK_UP = { name: 'lookup_order', arguments: { order_id: '10280' } };
const ANSWERS = [
  'Order 10280 was delivered on 2025-12-20; it cost 434.40 in all.',
  'Your order 10280 came on December 20, and its total was 434.40.',
];

let answered = 0;
const stub = await startStubLlm(({ body }) => {
  if (!JSON.stringify(body.messages).includes('"role":"tool"')) return asksFor(LOOK_UP);
  answered += 1;
  return says(ANSWERS[(answered - 1) % ANSWERS.length] ?? '');
});
const runs = mkdtempSync(join(tmpdir(), 'groundhog-model-example-'));
try {
  rmSync(CASSETTES, { recursive: true, force: true });
  const request = {
    bank: await loadBank([join(ROOT, 'banks/helpdesk/status-lookup')], new WorldCache()),
    agent: 'chat:openai:stub',
    agentOptions: { chat: { baseUrl: stub.baseUrl, cassettes: CASSETTES, cassetteMode: 'record' as const } },
    seed: '1',
  };
  await runBank({ ...request, k: 2, engine: 'inline', concurrency: 1, out: join(runs, 'whole') });
  await runStepwiseBank({ ...request, k: 1, out: join(runs, 'stepwise') });
} finally {
  rmSync(runs, { recursive: true });
  await stub.close();
}
console.log(`${CASSETTES} written`);
