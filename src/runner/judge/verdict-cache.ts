import { z } from 'zod';
import { AppendedFile, readLines } from '../../store/run-lines.ts';

const tokens = z.int().nonnegative().nullable();

/** Of a line only what finds it and what is paid for is held to a form; verdicts differ by question. */
const cachedLine = z.looseObject({
  key: z.string(),
  verdict: z.enum(['yes', 'no', 'first', 'second', 'tie']),
  confidence: z.number().min(0).max(1),
  reason: z.string(),
  pointsTo: z.int().nullable(),
  judge: z.string(),
  model: z.string(),
  promptVersion: z.string(),
  usage: z.object({ inputTokens: tokens, outputTokens: tokens, cachedInputTokens: tokens }),
  cost: z.number().nullable(),
  requests: z.int().positive(),
});

/** What a cache keeps of a verdict. */
interface Cacheable {
  readonly key: string | null;
  readonly verdict: string | null;
  readonly cached: boolean;
}

/**
 * Verdicts by the hash of what was asked, and of whom: a JSONL file that is only ever appended to. What gave
 * no verdict is not kept: it may be asked again.
 */
export class VerdictCache {
  readonly #file: AppendedFile | null;
  readonly #records = new Map<string, object>();

  /**
   * Without a path, verdicts are kept as long as the process lives.
   * @throws UsageError for a file that is none of verdicts, or that cannot be written
   */
  constructor(path: string | null) {
    this.#file = path === null ? null : new AppendedFile(path);
    const lines = path === null ? [] : readLines(path, cachedLine, { repair: true, sealed: false });
    for (const { value } of lines) this.#records.set(value.key, value);
  }

  get size(): number {
    return this.#records.size;
  }

  find<T extends Cacheable>(key: string): T | null {
    const record = this.#records.get(key);
    return record === undefined ? null : ({ ...record, cached: true } as unknown as T);
  }

  add<T extends Cacheable>(record: T): void {
    if (record.key === null || record.verdict === null || this.#records.has(record.key)) return;
    this.#records.set(record.key, record);
    this.#file?.add(JSON.stringify(record));
  }
}
