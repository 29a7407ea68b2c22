import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { NODE_VERSIONS, nodeBinary } from './install.ts';

interface Evidence {
  readonly chains: readonly string[];
  readonly seeds: readonly string[];
  readonly golden: Readonly<Record<string, string>>;
  readonly trajectories: Readonly<Record<string, string>>;
  readonly scores: Readonly<Record<string, string>>;
}

const PROGRAM = new URL('./evidence.ts', import.meta.url).pathname;
const MAJORS = [22, 24, 26] as const;

function evidenceOf(major: (typeof MAJORS)[number]): Evidence {
  const text = execFileSync(nodeBinary(major), [PROGRAM], { encoding: 'utf8', maxBuffer: 1e8 });
  return JSON.parse(text) as Evidence;
}

const evidence = new Map(MAJORS.map((major) => [major, evidenceOf(major)]));
const ours = evidence.get(24);

describe('Node 24, the reference', () => {
  it('runs the program whole', () => {
    expect(ours?.chains).toHaveLength(3);
    expect(Object.keys(ours?.trajectories ?? {}).length).toBeGreaterThan(120);
    expect(Object.values(ours?.trajectories ?? {})).not.toContain('none');
  });

  it('replays every golden trajectory identically', () => {
    const files = Object.entries(ours?.golden ?? {});
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(([, line]) => !line.endsWith(' true'))).toEqual([]);
  });
});

for (const major of [22, 26] as const) {
  describe(`Node ${NODE_VERSIONS[major]} agrees to the byte on`, () => {
    const theirs = evidence.get(major);
    for (const part of ['chains', 'seeds', 'golden', 'trajectories', 'scores'] as const) {
      it(part, () => expect(theirs?.[part]).toEqual(ours?.[part]));
    }
  });
}
