/** What ships: services and banks, one line each. The only place, besides tests, that names services. */
import { fileURLToPath } from 'node:url';
import { nearestName, UsageError } from '../base/errors.ts';
import type { Service } from '../service/types.ts';
import { airline } from '../services/airline/index.ts';
import { github } from '../services/github/index.ts';
import { helpdesk } from '../services/helpdesk/index.ts';
import { notes } from '../services/notes/index.ts';

export { BEHAVIOUR } from './behaviour.ts';
export { type PublishedDescription, publishedDescription } from './descriptions.ts';

export const SERVICES: readonly Service[] = [airline, github, helpdesk, notes];

// The published package carries its banks inside dist, with their modules compiled.
const BANKS_FOLDER = import.meta.url.endsWith('.ts') ? '../../banks' : '../banks';
const bank = (name: string): string => fileURLToPath(new URL(`${BANKS_FOLDER}/${name}`, import.meta.url));

/** Banks by catalog name: their folders. */
export const BANKS: Readonly<Record<string, string>> = {
  github: bank('github'),
  helpdesk: bank('helpdesk'),
};

/** The service of this name. @throws UsageError with the nearest name when there is none. */
export function serviceNamed(name: string): Service {
  const service = SERVICES.find((candidate) => candidate.name === name);
  if (service) return service;
  const known = SERVICES.map((candidate) => candidate.name);
  const near = nearestName(name, known);
  throw new UsageError('unknown-service', `there is no service named ${name}`, {
    hint: near ? `did you mean ${near}?` : `services are ${known.join(', ')}`,
  });
}
