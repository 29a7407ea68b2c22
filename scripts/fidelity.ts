/**
 * Writes `docs/reference/fidelity-<service>.md` from recorded exchanges, one file of them for each service.
 * `--check` needs no recordings: it refuses pages that are of other code than that which is here.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BEHAVIOUR, publishedDescription, SERVICES } from '../src/catalog/index.ts';
import { fidelityPage, measure, measuredDigest, publishedOf, readCorpus } from '../src/fidelity/index.ts';
import type { Service } from '../src/service/types.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const RECORDINGS = join(ROOT, '../shared/fidelity');
const PROGRESS_EVERY_MS = 2_000;

/** The services whose fidelity is published. */
const PUBLISHED: readonly string[] = ['github'];

function pageOf(name: string): string {
  return join(ROOT, `docs/reference/fidelity-${name}.md`);
}

/** What is wrong with the published pages: one sentence each. */
export function stalePages(): readonly string[] {
  return PUBLISHED.flatMap((name) => {
    const file = pageOf(name);
    const page = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const again = 'run `npm run fidelity`';
    if (page === undefined) return [`docs/reference/fidelity-${name}.md is not there: ${again}`];
    if (measuredDigest(page) === BEHAVIOUR.services[name]) return [];
    return [`docs/reference/fidelity-${name}.md is of an older ${name}: ${again}`];
  });
}

async function write(service: Service): Promise<void> {
  const corpus = join(RECORDINGS, `${service.name}.jsonl`);
  let shownMs = performance.now();
  const { report } = await measure(readCorpus([corpus]), {
    service,
    behaviour: BEHAVIOUR,
    published: publishedOf(publishedDescription(service.name)),
    progress: (done, of) => {
      if (performance.now() - shownMs < PROGRESS_EVERY_MS) return;
      shownMs = performance.now();
      console.error(`${service.name}: ${done}/${of} exchanges`);
    },
  });
  writeFileSync(pageOf(service.name), fidelityPage(report));
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const stale = stalePages();
    for (const sentence of stale) console.error(sentence);
    process.exitCode = stale.length === 0 ? 0 : 1;
  } else {
    for (const service of SERVICES.filter(({ name }) => PUBLISHED.includes(name))) await write(service);
  }
}
