import { UsageError } from '../../src/base/errors.ts';
import { SessionLog } from '../../src/store/session-log.ts';

/** Writes to a log until the system lets it no more, then goes on; says what it was told. */
const [, , directory = '', durability = 'strict'] = process.argv;

let lost: unknown = null;
const log = SessionLog.open(directory, {
  durability: durability === 'batch' ? 'batch' : 'strict',
  visit: () => undefined,
  revisit: () => undefined,
  note: () => undefined,
  lost: (sessions) => {
    if (sessions.size > 0) lost = [...sessions];
  },
});

let previous: number | null = null;
let kept = 0;
let refused = '';

async function appendOne(): Promise<void> {
  const kind = previous === null ? 'o' : 'i';
  const position = log.append({ kind, session: 'sa', previous }, { text: 'x'.repeat(100) });
  // Another session whose only record shares the fate of this one.
  if (kept > 0 && log.bytes > 4_000)
    log.append({ kind: 'o', session: 'sb', previous: null }, { text: 'y'.repeat(200) });
  await log.safe();
  // In a batch the log writes when it finds the time.
  if (durability === 'batch') await new Promise((resolve) => setTimeout(resolve, 12));
  previous = position;
  kept += 1;
}

while (refused === '' && kept < (durability === 'batch' ? 40 : 1_000)) {
  try {
    await appendOne();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    refused = error.message;
  }
}
const after = 3;
for (let index = 0; index < after; index += 1) {
  previous = log.append({ kind: 'i', session: 'sa', previous }, { after: index });
  await log.safe();
}
await log.stop();
process.stdout.write(JSON.stringify({ kept, refused, lost, after }));
