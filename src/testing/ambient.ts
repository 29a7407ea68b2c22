/** The clock and the random numbers of the machine, which no service may look at. */
interface Ambient {
  Date: DateConstructor;
}

/**
 * Runs something while the machine's clock and random numbers are others, so that whatever looks at them
 * shows. Synchronous; everything is put back afterwards.
 */
export function withOtherAmbience<T>(run: () => T): T {
  const scope = globalThis as unknown as Ambient;
  const realDate = scope.Date;
  const realRandom = Reflect.get(Math, 'random');
  let ticks = 0;
  const later = (): number => {
    ticks += 1;
    return 4_102_444_800_000 + ticks * 86_400_000;
  };
  class OtherDate extends realDate {
    constructor(...parts: readonly unknown[]) {
      super(...((parts.length === 0 ? [later()] : parts) as [number]));
    }

    static override now(): number {
      return later();
    }
  }
  try {
    scope.Date = OtherDate as unknown as DateConstructor;
    Reflect.set(Math, 'random', () => (later() % 97) / 97);
    return run();
  } finally {
    scope.Date = realDate;
    Reflect.set(Math, 'random', realRandom);
  }
}
