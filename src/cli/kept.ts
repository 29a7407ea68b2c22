import type { HostedSession, SessionHost } from '../gateway/host/index.ts';

/** The sessions that a server found in its state folder. */
export interface KeptSessions {
  readonly count: number;
  /** Those that were opened on what is not served now: they cannot go on here. */
  readonly elsewhere: number;
}

const PAGE = 1000;

/** Counts what the state folder brought back, without opening any of it. Ask before a session is opened. */
export function keptSessions(host: SessionHost): KeptSessions {
  const served = servedHere(host);
  let elsewhere = 0;
  let after: string | undefined;
  for (;;) {
    const page = host.list({ limit: PAGE, ...(after !== undefined && { after }) });
    elsewhere += page.filter((session) => !served(session)).length;
    if (page.length < PAGE) return { count: host.size, elsewhere };
    after = page.at(-1)?.id;
  }
}

function servedHere({ source }: SessionHost): (session: HostedSession) => boolean {
  const scenarios = new Set(source.choices);
  const names = new Set(source.services.map(({ name }) => name));
  return ({ request: { scenario, services = [] } }) =>
    scenario === undefined
      ? services.every((service) => names.has(service.split('/', 1)[0] ?? ''))
      : scenarios.has(scenario.slice(scenario.lastIndexOf('/') + 1));
}
