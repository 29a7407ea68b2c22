import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { behaviourOf, WorldCache } from '../worlds.ts';
import { FORMATS, type TestbedFormat, TRAJECTORIES, type WrittenBlock } from './files.ts';
import { assertFree, type DataManifest, sealed, writeFolder } from './folder.ts';
import { blockOrders, summedShort, type TestbedOptions, unfitIn } from './generate.ts';
import { type LeftOut, testbedBank } from './instances.ts';
import { writeBlocks } from './threads.ts';
import type { TestbedLabel } from './types.ts';

/** What a person asks for. */
export interface TestbedRequest extends TestbedOptions {
  readonly targets: readonly string[];
  readonly out: string;
  /** Throws a testbed in that folder away. */
  readonly fresh?: boolean;
  readonly formats?: readonly TestbedFormat[];
  /** Worker threads; as many as there are cores where that is faster. No file depends on it. */
  readonly threads?: number;
  /** The user's own files, for a bank on a world that is loaded from them. */
  readonly data?: string;
  readonly onProgress?: (done: number, of: number) => void;
}

/** Runs of one kind. */
export interface KindCounts {
  readonly runs: number;
  readonly silent: number;
  readonly outcomeChanged: number;
}

/** `testbed.json`: what a testbed is, and what it came to. */
export interface TestbedManifest extends DataManifest {
  readonly format: 'groundhog.testbed';
  readonly version: 1;
  readonly clean: number;
  readonly faulty: number;
  readonly kinds: Readonly<Record<string, KindCounts>>;
}

const MANIFEST = 'testbed.json';
const LABELS = 'labels.jsonl';

/**
 * Makes a testbed and writes it into a folder: `trajectories/`, `openai.jsonl`, `atif.jsonl`, `labels.jsonl`
 * and `testbed.json`. The folder is there when all of it is.
 * @throws UsageError for a folder that holds something, an unknown bank or one that no testbed can be made of
 */
export async function writeTestbed(request: TestbedRequest): Promise<TestbedManifest> {
  const { targets, out, fresh = false, formats = FORMATS, threads, onProgress } = request;
  assertFree({ out, what: 'a testbed', manifest: MANIFEST, fresh });
  const options: TestbedOptions = {
    clean: request.clean,
    faulty: request.faulty,
    seed: request.seed,
    ...(request.kinds && { kinds: request.kinds }),
  };
  const worlds = new WorldCache();
  const { bank, instances, leftOut } = await testbedBank(targets, worlds, { ...options, data: request.data });
  return await writeFolder(out, async (directory) => {
    mkdirSync(join(directory, TRAJECTORIES));
    const shared = new SharedFiles(directory, formats);
    const of = options.clean + options.faulty;
    await writeBlocks(
      blockOrders(instances.length, options),
      { bank: bank.name, instances, options, directory, formats },
      {
        threads,
        onBlock: (block) => {
          shared.add(block);
          onProgress?.(shared.runs, of);
        },
      },
    );
    const services = new Set(instances.flatMap(({ services: list }) => list.map(({ name }) => name)));
    const manifest: TestbedManifest = sealed({
      format: 'groundhog.testbed',
      version: 1,
      bank: { name: bank.name, version: bank.folder.bank.version, hash: bank.hash },
      behaviour: behaviourOf([...services].sort()),
      seed: options.seed,
      ...shared.counts(),
      leftOut: [...leftOut, ...shared.unfit()],
      files: shared.close(),
    });
    writeFileSync(join(directory, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    if (!formats.includes('groundhog')) rmSync(join(directory, TRAJECTORIES), { recursive: true });
    return manifest;
  });
}

/** The files that the blocks share, written line by line in the order of the runs. */
class SharedFiles {
  readonly #files: ReadonlyMap<string, OpenFile>;
  readonly #trajectories = createHash('sha256');
  readonly #withTrajectories: boolean;
  readonly #labels: TestbedLabel[] = [];
  readonly #fallen: Pick<WrittenBlock, 'short' | 'unfit'>[] = [];

  constructor(directory: string, formats: readonly TestbedFormat[]) {
    const names = [LABELS, ...formats.filter((one) => one !== 'groundhog').map((one) => `${one}.jsonl`)];
    this.#files = new Map(names.map((name) => [name, new OpenFile(join(directory, name))]));
    this.#withTrajectories = formats.includes('groundhog');
  }

  get runs(): number {
    return this.#labels.length;
  }

  add(block: WrittenBlock): void {
    const lines = block.labels.map((label) => `${JSON.stringify(label)}\n`).join('');
    this.#files.get(LABELS)?.write(new TextEncoder().encode(lines));
    this.#files.get('openai.jsonl')?.write(block.openai);
    this.#files.get('atif.jsonl')?.write(block.atif);
    for (const digest of block.digests) this.#trajectories.update(`${digest}\n`);
    this.#labels.push(...block.labels);
    this.#fallen.push({ short: block.short, unfit: block.unfit });
  }

  counts(): Pick<TestbedManifest, 'clean' | 'faulty' | 'instances' | 'kinds' | 'short'> {
    const kinds: Record<string, KindCounts> = {};
    for (const { kind, silent, outcomeChanged } of this.#labels) {
      if (kind === null) continue;
      const known = kinds[kind] ?? { runs: 0, silent: 0, outcomeChanged: 0 };
      kinds[kind] = {
        runs: known.runs + 1,
        silent: known.silent + Number(silent === true),
        outcomeChanged: known.outcomeChanged + Number(outcomeChanged === true),
      };
    }
    const clean = this.#labels.filter(({ kind }) => kind === null);
    return {
      clean: clean.length,
      faulty: this.#labels.length - clean.length,
      instances: new Set(clean.map(({ instance }) => instance)).size,
      kinds: Object.fromEntries(Object.entries(kinds).sort(([one], [other]) => (one < other ? -1 : 1))),
      short: summedShort(this.#fallen),
    };
  }

  unfit(): readonly LeftOut[] {
    return unfitIn(this.#fallen);
  }

  /** Closes the files; SHA-256 of each. */
  close(): Readonly<Record<string, string>> {
    const digests = [...this.#files].map(([name, file]): [string, string] => [name, file.close()]);
    if (this.#withTrajectories) digests.push([TRAJECTORIES, this.#trajectories.digest('hex')]);
    return Object.fromEntries(digests);
  }
}

/** A file that is written and hashed at once. */
class OpenFile {
  readonly #handle: number;
  readonly #hash = createHash('sha256');

  constructor(path: string) {
    this.#handle = openSync(path, 'wx');
  }

  write(bytes: Uint8Array): void {
    this.#hash.update(bytes);
    for (let from = 0; from < bytes.length; ) from += writeSync(this.#handle, bytes, from);
  }

  close(): string {
    closeSync(this.#handle);
    return this.#hash.digest('hex');
  }
}
