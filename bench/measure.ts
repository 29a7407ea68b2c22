/** One figure of a benchmark. */
export interface Figure {
  /** Null where it could not be measured; then `reason` says why. */
  readonly value: number | null;
  readonly reason?: string;
  readonly unit: string;
  /** The most it may be; absent for figures that are only reported. */
  readonly target?: number;
}

/** How a piece of work is repeated. */
export interface MeasureOptions {
  /** Operations in one repetition. */
  readonly count: number;
  /** Repetitions; the median is taken. Default 9. */
  readonly repetitions?: number;
  /** Repetitions before that, not counted, so that the engine has compiled the code. Default 3. */
  readonly warmUps?: number;
}

/** CPU time of this process so far, user and system, all threads, in microseconds. */
export function cpuMicros(): number {
  const usage = process.cpuUsage();
  return usage.user + usage.system;
}

/** The middle value; the mean of the two middle ones of an even number. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Median CPU time of one operation in microseconds. `work` does all the operations of one repetition;
 * `prepare` makes what it works on and is not counted.
 */
export function microsPerOperation<T>(
  work: (prepared: T) => void,
  options: MeasureOptions & { readonly prepare: () => T },
): number {
  const samples: number[] = [];
  const warmUps = options.warmUps ?? 3;
  for (let round = 0; round < warmUps + (options.repetitions ?? 9); round += 1) {
    const prepared = options.prepare();
    const start = cpuMicros();
    work(prepared);
    const spent = cpuMicros() - start;
    if (round >= warmUps) samples.push(spent / options.count);
  }
  return median(samples);
}

/** Bytes of JavaScript heap and buffers in use after a full collection; the process needs `--expose-gc`. */
export function heapAfterCollection(): number {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) throw new Error('run with --expose-gc');
  collect();
  collect();
  const usage = process.memoryUsage();
  return usage.heapUsed + usage.arrayBuffers;
}

/** Prints the figures as a table and then, as the last line, as one JSON object. */
export function report(bench: string, figures: Readonly<Record<string, Figure>>): void {
  const rounded: Record<string, Figure & { met?: boolean }> = {};
  for (const [name, figure] of Object.entries(figures)) {
    const value = figure.value === null ? null : Number(figure.value.toPrecision(4));
    const met = figure.target === undefined ? {} : { met: isMet(figure) };
    rounded[name] = { ...figure, value, ...met };
  }
  const width = Math.max(...Object.keys(rounded).map((name) => name.length));
  for (const [name, { value, reason, unit, target, met }] of Object.entries(rounded)) {
    const goal = target === undefined ? '' : `target ${target} ${unit}: ${met ? 'met' : 'MISSED'}`;
    const shown = String(value ?? '-').padStart(10);
    process.stdout.write(`${name.padEnd(width)}  ${shown} ${unit.padEnd(4)}  ${reason ?? goal}\n`);
  }
  process.stdout.write(`${JSON.stringify({ bench, figures: rounded })}\n`);
}

function isMet({ value, target }: Figure): boolean {
  return value !== null && target !== undefined && value <= target;
}
