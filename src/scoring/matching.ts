/** A matching: for each left vertex its right partner or null, and the other way round. */
export interface Matching {
  readonly left: (number | null)[];
  readonly right: (number | null)[];
  readonly size: number;
}

/** A bipartite graph: `edges[l]` lists the right vertices (from 0) that left vertex l may pair with. */
export interface BipartiteGraph {
  readonly edges: readonly (readonly number[])[];
  readonly rightCount: number;
}

/**
 * A maximum matching (Kuhn's augmenting paths, breadth first). Left vertices are served in order and each
 * takes the first free partner of its list, so ties break the same way every time.
 *
 * @param start a matching to grow. Vertices matched in it stay matched, if perhaps to others.
 */
export function maximumMatching(graph: BipartiteGraph, start?: Matching): Matching {
  const left = start ? [...start.left] : graph.edges.map(() => null);
  const right: (number | null)[] = start
    ? [...start.right]
    : Array.from({ length: graph.rightCount }, () => null);
  const state: SearchState = { left, right, dead: new Uint8Array(graph.rightCount) };
  for (let vertex = 0; vertex < graph.edges.length; vertex += 1) {
    if (left[vertex] === null) augment(graph, state, vertex);
  }
  return { left, right, size: left.filter((partner) => partner !== null).length };
}

/**
 * A maximum matching that also covers as many of the right vertices in `cover` as any matching can: of all
 * pairings of the largest size, one that leaves over only what may be left over (Mendelsohn and Dulmage).
 */
export function matchingThatCovers(graph: BipartiteGraph, cover: readonly number[]): Matching {
  const reversed: number[][] = cover.map(() => []);
  const place = new Map(cover.map((vertex, index) => [vertex, index]));
  graph.edges.forEach((list, vertex) => {
    for (const partner of list) reversed[place.get(partner) ?? -1]?.push(vertex);
  });
  const covering = maximumMatching({ edges: reversed, rightCount: graph.edges.length });
  const left = covering.right.map((index) => (index === null ? null : (cover[index] ?? null)));
  const right: (number | null)[] = Array.from({ length: graph.rightCount }, () => null);
  left.forEach((partner, vertex) => {
    if (partner !== null) right[partner] = vertex;
  });
  return maximumMatching(graph, { left, right, size: covering.size });
}

interface SearchState {
  readonly left: (number | null)[];
  readonly right: (number | null)[];
  /**
   * Right vertices of failed searches: no later search can gain from them, which keeps all failures linear.
   */
  readonly dead: Uint8Array;
}

function augment(graph: BipartiteGraph, state: SearchState, root: number): void {
  const reachedFrom = new Map<number, number>();
  const queue = [root];
  for (let head = 0; head < queue.length; head += 1) {
    const vertex = queue[head] as number;
    for (const partner of graph.edges[vertex] ?? []) {
      if (state.dead[partner] === 1 || reachedFrom.has(partner)) continue;
      reachedFrom.set(partner, vertex);
      const taken = state.right[partner] ?? null;
      if (taken === null) {
        flip(state, reachedFrom, partner);
        return;
      }
      queue.push(taken);
    }
  }
  for (const partner of reachedFrom.keys()) state.dead[partner] = 1;
}

function flip(state: SearchState, reachedFrom: ReadonlyMap<number, number>, end: number): void {
  let partner: number | null = end;
  while (partner !== null) {
    const vertex: number = reachedFrom.get(partner) as number;
    const before: number | null = state.left[vertex] ?? null;
    state.left[vertex] = partner;
    state.right[partner] = vertex;
    partner = before;
  }
}
