/** A scorer of one rule: an answer of at most forty words is as good as any, a longer one loses for each. */
import { createInterface } from 'node:readline';

const WORDS = 40;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, answer } = JSON.parse(line);
  const words = (answer ?? '').split(/\s+/u).filter(Boolean).length;
  const score = words === 0 ? 0 : Math.min(1, WORDS / words);
  const reply = {
    id,
    score,
    label: words > WORDS ? 'long' : 'short',
    explanation: `${words} words`,
    version: 'length 1',
  };
  process.stdout.write(`${JSON.stringify(reply)}\n`);
});
