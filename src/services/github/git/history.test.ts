import { describe, expect, it } from 'vitest';
import {
  commitsBetween,
  compareCommits,
  createCommit,
  diffSinceBase,
  EMPTY_TREE_SHA,
  type GitWriter,
  isAncestor,
  type LogOptions,
  log,
  memoryStore,
  mergeBase,
  mergeBases,
  writeTree,
} from './index.ts';

/** Builds a history by names: each commit has its parents, the minute it was made in, and its files. */
class History {
  readonly store: GitWriter = memoryStore();
  readonly #shas = new Map<string, string>();

  add(name: string, parents: readonly string[], { minute = 0, files = {}, author = 'ana' }: Made = {}): this {
    const content = Object.entries(files).map(([path, text]) => ({ path, content: text }));
    const date = `2024-01-01T00:${String(minute).padStart(2, '0')}:00Z`;
    const sha = createCommit(this.store, {
      tree: content.length === 0 ? EMPTY_TREE_SHA : writeTree(this.store, null, content),
      parents: parents.map((parent) => this.sha(parent)),
      message: name,
      author: { name: author, email: `${author}@example.test`, date },
    });
    this.#shas.set(name, sha);
    return this;
  }

  sha(name: string): string {
    return this.#shas.get(name) ?? 'f'.repeat(40);
  }

  log(name: string, options?: LogOptions): string {
    return [...log(this.store, [this.sha(name)], options)].map(({ commit }) => commit.message).join(' ');
  }

  name(sha: string | null): string | undefined {
    return [...this.#shas].find(([, known]) => known === sha)?.[0];
  }
}

interface Made {
  readonly minute?: number;
  readonly files?: Readonly<Record<string, string>>;
  readonly author?: string;
}

function forked(): History {
  return new History()
    .add('a', [], { minute: 1, files: { f: '1' } })
    .add('b', ['a'], { minute: 2, files: { f: '1', g: '1' }, author: 'bob' })
    .add('c', ['b'], { minute: 5, files: { f: '2', g: '1' } })
    .add('x', ['b'], { minute: 3, files: { f: '1', g: '2' } })
    .add('y', ['x'], { minute: 4, files: { f: '1', g: '3' } })
    .add('m', ['c', 'y'], { minute: 6, files: { f: '2', g: '3' } });
}

describe('log', () => {
  it('gives the youngest first', () => {
    expect(forked().log('m')).toBe('m c y x b a');
    expect(forked().log('m', { firstParent: true })).toBe('m c b a');
  });

  it('filters by date, author and path', () => {
    const history = forked();
    expect(history.log('m', { since: '2024-01-01T00:04:00Z' })).toBe('m c y');
    expect(history.log('m', { until: '2024-01-01T00:02:00Z' })).toBe('b a');
    expect(history.log('m', { matches: ({ author }) => author.name === 'bob' })).toBe('b');
    expect(history.log('m', { path: 'f' })).toBe('c a');
    expect(history.log('m', { path: 'g' })).toBe('y x b');
    expect(history.log('m', { path: 'none' })).toBe('');
  });

  it('takes a change of mode for a change of the path', () => {
    const store = memoryStore();
    const author = { name: 'a', email: 'a@example.test', date: '2024-01-01T00:00:00Z' };
    const commit = (parents: readonly string[], mode: string) => {
      const tree = writeTree(store, null, [{ path: 'bin/run', content: '1', mode }]);
      return createCommit(store, { tree, parents, message: mode, author });
    };
    const first = commit([], '100644');
    const second = commit([first], '100644');
    const third = commit([second], '100755');
    const modes = [...log(store, [third], { path: 'bin/run' })].map((entry) => entry.commit.message);
    expect(modes).toEqual(['100755', '100644']);
  });

  it('passes over what is not stored', () => {
    const history = new History().add('a', ['gone'], { minute: 1 }).add('b', ['a', 'lost'], { minute: 2 });
    expect(history.log('b')).toBe('b a');
    expect(history.log('gone')).toBe('');
  });

  it('is lazy', () => {
    const history = forked();
    let reads = 0;
    const counting = {
      get: (sha: string) => {
        reads += 1;
        return history.store.get(sha);
      },
    };
    expect(log(counting, [history.sha('m')]).next().value?.commit.message).toBe('m');
    expect(reads).toBe(3);
  });
});

describe('ancestry', () => {
  it('knows what lies in the history of what', () => {
    const history = forked();
    const is = (one: string, other: string) =>
      isAncestor(history.store, history.sha(one), history.sha(other));
    expect([is('a', 'm'), is('y', 'm'), is('m', 'm')]).toEqual([true, true, true]);
    expect([is('m', 'a'), is('c', 'y'), is('gone', 'm')]).toEqual([false, false, false]);
  });

  it('finds the best common ancestor', () => {
    const history = forked();
    const base = (one: string, other: string) =>
      history.name(mergeBase(history.store, history.sha(one), history.sha(other)));
    expect(base('c', 'y')).toBe('b');
    expect(base('m', 'y')).toBe('y');
    expect(base('a', 'a')).toBe('a');
    history.add('alone', [], { minute: 9 });
    expect(base('alone', 'm')).toBeUndefined();
  });

  it('finds all of them where branches were merged crosswise', () => {
    const history = new History()
      .add('a', [], { minute: 1 })
      .add('b', ['a'], { minute: 2 })
      .add('c', ['a'], { minute: 3 })
      .add('d', ['b', 'c'], { minute: 4 })
      .add('e', ['c', 'b'], { minute: 5 });
    const bases = mergeBases(history.store, history.sha('d'), history.sha('e'));
    expect(bases.map((sha) => history.name(sha))).toEqual(['c', 'b']);
  });

  it('does not depend on the dates', () => {
    const history = new History()
      .add('a', [], { minute: 50 })
      .add('b', ['a'], { minute: 40 })
      .add('c', ['b'], { minute: 30 })
      .add('x', ['b'], { minute: 1 });
    expect(history.name(mergeBase(history.store, history.sha('c'), history.sha('x')))).toBe('b');
    expect(isAncestor(history.store, history.sha('a'), history.sha('c'))).toBe(true);
    expect(compareCommits(history.store, history.sha('c'), history.sha('x'))).toMatchObject({
      status: 'diverged',
      behindCount: 1,
    });
  });
});

describe('comparison', () => {
  it('counts what either side has', () => {
    const history = forked();
    const compare = (base: string, head: string) => {
      const { status, ahead, behindCount } = compareCommits(
        history.store,
        history.sha(base),
        history.sha(head),
      );
      return [status, ahead.map(({ commit }) => commit.message).join(' '), behindCount];
    };
    expect(compare('c', 'y')).toEqual(['diverged', 'x y', 1]);
    expect(compare('a', 'm')).toEqual(['ahead', 'b x y c m', 0]);
    expect(compare('m', 'b')).toEqual(['behind', '', 4]);
    expect(compare('m', 'm')).toEqual(['identical', '', 0]);
  });

  it('lists the files that a head changed since it left', () => {
    const history = forked();
    const paths = (base: string, head: string) =>
      diffSinceBase(history.store, history.sha(base), history.sha(head)).map(({ path }) => path);
    expect(paths('c', 'y')).toEqual(['g']);
    expect(paths('m', 'y')).toEqual([]);
    expect(paths('gone', 'a')).toEqual(['f']);
    expect(paths('a', 'gone')).toEqual([]);
  });

  it('lists the commits of a pull, the oldest first', () => {
    const history = forked();
    const shas = commitsBetween(history.store, history.sha('c'), history.sha('m')).map(({ sha }) => sha);
    expect(shas.map((sha) => history.name(sha))).toEqual(['x', 'y', 'm']);
  });
});
