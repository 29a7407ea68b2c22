import type { SpanFacts } from './facts.ts';

/** The spans of one trace and how they contain each other. Cut cycles and lost parents make roots. */
export class SpanTree {
  readonly all: readonly SpanFacts[];
  /** Spans with messages that no span within repeats. */
  readonly speakers: readonly SpanFacts[];
  readonly #byId: ReadonlyMap<string, SpanFacts>;

  constructor(all: readonly SpanFacts[]) {
    this.all = all;
    this.#byId = new Map(all.map((facts) => [facts.span.spanId, facts]));
    const covered = new Set<SpanFacts>();
    for (const facts of all) {
      if (facts.output.length > 0) for (const outer of this.around(facts)) covered.add(outer);
    }
    this.speakers = all.filter((facts) => facts.output.length > 0 && !covered.has(facts));
  }

  /** The spans around one, the nearest first. */
  around(facts: SpanFacts): SpanFacts[] {
    const found: SpanFacts[] = [];
    const seen = new Set([facts]);
    let { parentId } = facts.span;
    while (parentId !== null) {
      const parent = this.#byId.get(parentId);
      if (parent === undefined || seen.has(parent)) break;
      seen.add(parent);
      found.push(parent);
      parentId = parent.span.parentId;
    }
    return found;
  }

  /** The agent that a span belongs to; a tool's own span is of the agent around it. */
  actorOf(facts: SpanFacts): string | null {
    const own = facts.kind === 'tool' ? null : facts.agent;
    return (
      own ?? this.around(facts).find(({ agent, kind }) => agent !== null && kind !== 'tool')?.agent ?? null
    );
  }

  /** True for what happens while a tool runs: an agent below another, whose user is that agent. */
  isWithinTool(facts: SpanFacts): boolean {
    return this.around(facts).some(({ kind }) => kind === 'tool');
  }
}
