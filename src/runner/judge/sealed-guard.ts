import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import { BANKS } from '../../catalog/index.ts';
import type { ChatModel } from '../../llm/index.ts';
import { readBankFolder } from '../../store/bank-files.ts';
import { CANARY } from '../../store/sealed-files.ts';
import { readText } from '../../store/text-files.ts';
import type { Trajectory } from '../../trajectory/index.ts';

/** How long a provider keeps what it is sent: only a declared `none` lets sealed scenarios out. */
export const RETENTIONS = ['none', 'unknown'] as const;
export type Retention = (typeof RETENTIONS)[number];

/** As much of a `run.json` as tells which of its scenarios are sealed. */
const runFile = z.object({
  config: z.object({
    scenarios: z.array(
      z.object({ id: z.string(), scenario: z.string().optional(), canary: z.string().optional() }),
    ),
  }),
});

/** Tells sealed scenarios from open ones. Banks beyond those that ship are named by their folders. */
export class SealedGuard {
  readonly #banks: readonly string[];
  readonly #retention: Retention;
  readonly #listed = new Map<string, ReadonlyMap<string, string | null> | null>();
  #open: ReadonlySet<string> | null = null;

  constructor(retention: Retention, banks: readonly string[] = []) {
    this.#retention = retention;
    this.#banks = banks;
  }

  /**
   * @throws UsageError for a run of a sealed scenario, and for one of ours of which nothing tells whether its
   *   scenario is sealed, unless the provider keeps nothing
   */
  assertMayLeave(file: string, trajectory: Trajectory | undefined): void {
    const id = trajectory?.header.scenario?.id;
    if (this.#retention === 'none' || id === undefined) return;
    const canary = this.#canaryOf(file, id);
    if (canary === null) return;
    const told =
      canary === undefined ? `may be sealed: neither a run.json nor an open bank tells` : 'is sealed';
    throw new UsageError(
      'sealed',
      `the scenario ${id} ${told}; it is not sent to a provider that may keep it`,
      {
        place: { file },
        hint:
          canary === undefined
            ? 'give --bank for the bank that it is of, or --retention none for a provider that keeps nothing'
            : 'say --retention none where the provider keeps nothing of what it is sent',
      },
    );
  }

  /** The canary of the scenario, null for an open one, undefined where nothing tells. */
  #canaryOf(file: string, id: string): string | null | undefined {
    const folder = dirname(file);
    for (const candidate of [join(folder, 'run.json'), join(dirname(folder), 'run.json')]) {
      const listed = this.#listedIn(candidate)?.get(id);
      if (listed !== undefined) return listed;
    }
    return this.#openIds().has(id.split('~')[0] ?? id) ? null : undefined;
  }

  #listedIn(path: string): ReadonlyMap<string, string | null> | null {
    const known = this.#listed.get(path);
    if (known !== undefined) return known;
    const parsed = existsSync(path) ? runFile.safeParse(jsonOf(readText(path))) : null;
    const listed = parsed?.success
      ? new Map(
          parsed.data.config.scenarios.flatMap(({ id, scenario, canary = null }) =>
            [id, scenario ?? id].map((name) => [name, canary] as const),
          ),
        )
      : null;
    this.#listed.set(path, listed);
    return listed;
  }

  #openIds(): ReadonlySet<string> {
    this.#open ??= new Set(
      [...Object.values(BANKS), ...this.#banks].flatMap((directory) =>
        // Without a key: what is sealed stays closed, whatever the environment names.
        readBankFolder(directory, null).scenarios.map(({ file }) => file.id),
      ),
    );
    return this.#open;
  }

  /** The last line of defence: whatever a prompt was put together from, a canary in it is not sent. */
  watch(model: ChatModel): ChatModel {
    if (this.#retention === 'none') return model;
    return {
      name: model.name,
      config: model.config,
      async complete(request, given) {
        if (!JSON.stringify(request).includes(`${CANARY}:`)) return await model.complete(request, given);
        throw new UsageError('sealed', 'the prompt holds the canary of a sealed scenario: it is not sent', {
          hint: 'say --retention none where the provider keeps nothing of what it is sent',
        });
      },
    };
  }
}

/** Undefined for a file that was cut off: it tells of no scenario. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
