import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BipartiteGraph, matchingThatCovers, maximumMatching } from './matching.ts';

/** The largest matching by trying everything. */
function largest({ edges }: BipartiteGraph, vertex = 0, taken: ReadonlySet<number> = new Set()): number {
  if (vertex === edges.length) return 0;
  let best = largest({ edges, rightCount: 0 }, vertex + 1, taken);
  for (const partner of new Set(edges[vertex])) {
    if (taken.has(partner)) continue;
    best = Math.max(best, 1 + largest({ edges, rightCount: 0 }, vertex + 1, new Set([...taken, partner])));
  }
  return best;
}

const graphs = fc.integer({ min: 0, max: 6 }).chain((rightCount) =>
  fc
    .array(
      fc.uniqueArray(fc.integer({ min: 0, max: Math.max(0, rightCount - 1) }), { maxLength: rightCount }),
      {
        maxLength: 6,
      },
    )
    .map((edges) => ({ edges, rightCount })),
);

describe('maximumMatching', () => {
  it('is maximal and sound on every graph up to 6 × 6', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const matching = maximumMatching(graph);
        expect(matching.size).toBe(largest(graph));
        matching.left.forEach((partner, vertex) => {
          if (partner === null) return;
          expect(graph.edges[vertex]).toContain(partner);
          expect(matching.right[partner]).toBe(vertex);
        });
        expect(matching.right.filter((partner) => partner !== null)).toHaveLength(matching.size);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the perfect pairing where serving in order fails', () => {
    expect(maximumMatching({ edges: [[0, 1], [0]], rightCount: 2 }).left).toEqual([1, 0]);
  });

  it('stays fast on thousands of equal calls', () => {
    const all = Array.from({ length: 400 }, (_, index) => index);
    const matching = maximumMatching({ edges: Array.from({ length: 6_000 }, () => all), rightCount: 400 });
    expect(matching.size).toBe(400);
  });
});

describe('matchingThatCovers', () => {
  it('is as large as any and covers as much as any', () => {
    fc.assert(
      fc.property(graphs, fc.uniqueArray(fc.integer({ min: 0, max: 5 })), (graph, wanted) => {
        const cover = wanted.filter((vertex) => vertex < graph.rightCount);
        const matching = matchingThatCovers(graph, cover);
        expect(matching.size).toBe(largest(graph));
        const coverable = largest({
          edges: graph.edges.map((list) => list.filter((vertex) => cover.includes(vertex))),
          rightCount: graph.rightCount,
        });
        const covered = cover.filter((vertex) => matching.right[vertex] !== null);
        expect(covered).toHaveLength(coverable);
      }),
      { numRuns: 500 },
    );
  });
});
