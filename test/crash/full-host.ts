import { UsageError } from '../../src/base/errors.ts';
import { type HostedSession, SessionHost } from '../../src/gateway/host/index.ts';
import { servedSource } from '../../src/runner/served.ts';

/** A host whose log cannot grow beyond a bound of its process; says what became of its sessions. */
const [, , directory = ''] = process.argv;

const VIA = { door: 'rest' } as const;
const source = await servedSource({ services: ['notes'] });
const start = (): SessionHost =>
  new SessionHost({
    source,
    sessionsMost: 10,
    nowMs: Date.now,
    state: { directory, durability: 'strict', segmentBytes: 1e6 },
  });

async function codeOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return '';
  } catch (error) {
    if (error instanceof UsageError) return error.code;
    throw error;
  }
}

const host = start();
const session = host.open();
const token = session.credentials[0]?.token ?? '';
const state = (of: SessionHost, one: HostedSession) => of.summary(one);
let before = state(host, session);
let refused = '';
let openRefused = '';
let opened: HostedSession | undefined;
let issued: string[] = [];
for (let index = 0; refused === '' && index < 500; index += 1) {
  before = state(host, session);
  const body = 'x'.repeat(200);
  const call = { tool: 'create_note', input: { notebook_id: 'book_1', title: `${index}`, body } };
  // A token that is issued and a session that is opened in the same group share its fate.
  const changes = [
    codeOf(() => host.call(session, { tool: 'tokens.create', input: { scope: 'read' } }, VIA)),
    codeOf(() => host.call(session, call, VIA)),
  ];
  issued = session.credentials.flatMap((credential) =>
    credential.worldToken === undefined ? [] : [credential.token],
  );
  opened = host.open();
  const openSafe = codeOf(() => host.safe());
  refused = (await Promise.all(changes)).find((code) => code !== '') ?? '';
  openRefused = await openSafe;
  if (refused === '') await host.close(opened);
}
const after = state(host, session);
const credential = host.credential(token);
const next = await host.call(session, { tool: 'list_notes', input: {} }, VIA);
await host.stop();
const again = start();
const restarted = again.session(session.id);
process.stdout.write(
  JSON.stringify({
    refused,
    openRefused,
    openGone: opened !== undefined && host.session(opened.id) === undefined,
    aliasGone: host.credential(issued.at(-1) ?? '') === undefined,
    stepsBefore: before.steps,
    stepsAfter: after.steps,
    fullBefore: before.full,
    fullAfter: after.full,
    tokenWorks: credential?.session === session.id,
    nextOk: next.ok,
    restartedSteps: restarted ? state(again, restarted).steps : null,
  }),
);
await again.stop();
