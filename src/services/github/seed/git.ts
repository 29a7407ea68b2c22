import type { Seeding } from '../../../service/index.ts';
import {
  commitAt,
  createCommit,
  createTag,
  gitStore,
  type Signature,
  type TreeChange,
  writeTree,
} from '../git/index.ts';
import { momentText } from '../moments.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import type { GithubSchema } from '../schema.ts';

const HOUR_MS = 3_600_000;

/** One commit of a seeded history. */
interface Step {
  readonly by: Account;
  readonly message: string;
  readonly hoursAgo: number;
  readonly changes: readonly TreeChange[];
}

/** Every repository has a README; the lamp has a history, a branch on which work goes on, and a tag. */
export function seedGit(seeding: Seeding<GithubSchema>, epochMs: number): void {
  const { tx } = seeding;
  const [mona, hubert] = [...tx.accounts.scan()];
  if (!mona || !hubert) return;
  const history = new History(seeding, epochMs);
  for (const account of [mona, hubert]) {
    tx.commit_authors.insert({ email: emailOf(account), account_id: account.id });
  }
  for (const repository of [...tx.repositories.scan()]) {
    const content = `# ${repository.name}\n\n${repository.description ?? ''}\n`;
    const first = { by: mona, message: 'Initial commit', hoursAgo: 16_700 };
    history.commit(repository, 'main', { ...first, changes: [{ path: 'README.md', content }] });
    if (repository.name === 'lamp') seedLamp(history, repository, { mona, hubert });
  }
}

function seedLamp(
  history: History,
  lamp: Repository,
  { mona, hubert }: { readonly mona: Account; readonly hubert: Account },
): void {
  const licence = 'MIT License\n\nCopyright (c) 2024 Octo Works\n';
  history.commit(lamp, 'main', {
    by: mona,
    message: 'Say what may be done with it',
    hoursAgo: 3_000,
    changes: [
      { path: 'LICENSE', content: licence },
      { path: 'docs/README.md', content: 'How the lamp listens.\n' },
    ],
  });
  const dimmer = ['export function dim(level) {', '  return Math.max(0, level - 10);', '}', ''];
  const released = history.commit(lamp, 'main', {
    by: hubert,
    message: 'Dim by ten per cent',
    hoursAgo: 480,
    changes: [{ path: 'src/dim.js', content: dimmer.join('\n') }],
  });
  history.tag(lamp, 'v1.0.0', { by: mona, message: 'The first lamp', hoursAgo: 470, object: released });
  history.branch(lamp, 'dimmer', released);
  history.commit(lamp, 'dimmer', {
    by: hubert,
    message: 'Dim to nothing',
    hoursAgo: 40,
    changes: [{ path: 'src/dim.js', content: dimmer.join('\n').replace('level - 10', 'level - 5') }],
  });
  history.comment(lamp, { object: released, by: hubert, message: 'Tested on three lamps.' });
  history.settle(lamp, { JavaScript: 76 });
}

export function emailOf({ login }: Account): string {
  return `${login}@octo-works.example`;
}

/** Writes commits one after the other. */
class History {
  readonly #seeding: Seeding<GithubSchema>;
  readonly #epochMs: number;

  constructor(seeding: Seeding<GithubSchema>, epochMs: number) {
    this.#seeding = seeding;
    this.#epochMs = epochMs;
  }

  commit(repository: Repository, branch: string, { by, message, hoursAgo, changes }: Step): string {
    const { tx } = this.#seeding;
    const store = gitStore(tx);
    const ref = `refs/heads/${branch}`;
    const head = tx.git_refs.get([repository.id, ref])?.sha;
    const base = head === undefined ? undefined : commitAt(store, head)?.tree;
    const tree = writeTree(store, base ?? null, changes);
    const author = this.#person(by, hoursAgo);
    const sha = createCommit(store, { tree, parents: head === undefined ? [] : [head], message, author });
    this.#point(repository, ref, sha);
    const moment = this.#moment(hoursAgo);
    tx.repositories.update(repository.id, { pushed_at: moment, updated_at: moment });
    if (branch === repository.default_branch) this.#count(repository, by);
    return sha;
  }

  branch(repository: Repository, name: string, sha: string): void {
    this.#point(repository, `refs/heads/${name}`, sha);
  }

  tag(
    repository: Repository,
    tag: string,
    { by, message, hoursAgo, object }: Omit<Step, 'changes'> & { readonly object: string },
  ): void {
    const tagger = this.#person(by, hoursAgo);
    const sha = createTag(gitStore(this.#seeding.tx), { tag, message, object, type: 'commit', tagger });
    this.#point(repository, `refs/tags/${tag}`, sha);
  }

  comment(
    { id: repository_id }: Repository,
    { object, by, message }: Pick<Step, 'by' | 'message'> & { readonly object: string },
  ): void {
    const { tx, nextId } = this.#seeding;
    const moment = this.#moment(460);
    tx.commit_comments.insert({
      id: Number(nextId('commit_comments')),
      repository_id,
      commit_sha: object,
      path: null,
      position: null,
      line: null,
      user_id: by.id,
      author_association: 'MEMBER',
      body: message,
      created_at: moment,
      updated_at: moment,
    });
  }

  /** What GitHub counts of a repository's files. */
  settle({ id }: Repository, bytes: Readonly<Record<string, number>>): void {
    const { tx } = this.#seeding;
    tx.repositories.update(id, { license_key: 'mit', language: Object.keys(bytes)[0] ?? null, size: 4 });
    for (const [name, size] of Object.entries(bytes))
      tx.languages.insert({ repository_id: id, name, bytes: size });
  }

  #point({ id: repository_id }: Repository, ref: string, sha: string): void {
    const { git_refs: refs } = this.#seeding.tx;
    if (refs.has([repository_id, ref])) refs.update([repository_id, ref], { sha });
    else refs.insert({ repository_id, ref, sha });
  }

  #count({ id: repository_id }: Repository, { id: user_id }: Account): void {
    const { contributions } = this.#seeding.tx;
    const key = [repository_id, user_id];
    const known = contributions.get(key)?.contributions;
    if (known === undefined) contributions.insert({ repository_id, user_id, contributions: 1 });
    else contributions.update(key, { contributions: known + 1 });
  }

  #person(account: Account, hoursAgo: number): Signature {
    return { name: account.name ?? account.login, email: emailOf(account), date: this.#moment(hoursAgo) };
  }

  #moment(hoursAgo: number): string {
    return momentText(this.#epochMs - hoursAgo * HOUR_MS);
  }
}
