import { DEFAULT_LABELS } from '../../rules/labels.ts';
import { blankRepository } from '../../rules/new-repository.ts';
import type { Account } from '../../schema/accounts.ts';
import { Code } from '../lived-in/code.ts';
import { DAY_MS, type Scene } from '../lived-in/scene.ts';
import { Story } from '../lived-in/story.ts';

/** A day's moment so many days before the epoch. */
export function daysAgo(scene: Scene, days: number): number {
  return scene.epochMs - days * DAY_MS;
}

/** Somebody of the house by login. */
export function personNamed({ people }: Scene, login: string): Account {
  const found = people.find((account) => account.login === login);
  if (!found) throw new TypeError(`nobody is called ${login}`);
  return found;
}

type LabelWish = readonly [name: string, color: string, description: string];

/** A repository of the organisation that a story happens in, with its first files and labels. */
export function placeFor(
  scene: Scene,
  wish: {
    readonly name: string;
    readonly description: string;
    readonly files: Readonly<Record<string, string>>;
    readonly labels?: readonly LabelWish[];
  },
): Story {
  const { tx, org } = scene;
  const moment = scene.ago(400 * DAY_MS);
  const repository = tx.repositories.insert({
    ...blankRepository({ id: scene.id('repositories'), owner_id: org.id }, wish.name, moment),
    description: wish.description,
    language: 'TypeScript',
  });
  const counts = tx.accounts.get(org.id) ?? org;
  tx.accounts.update(org.id, { public_repos: counts.public_repos + 1 });
  const story = new Story(scene, repository, new Code(scene.random, 0));
  for (const [name, color, description] of [...DEFAULT_LABELS, ...(wish.labels ?? [])]) {
    const id = scene.id('labels');
    const is_default = DEFAULT_LABELS.some(([known]) => known === name);
    const row = { id, repository_id: repository.id, name, name_key: name.toLowerCase(), color, description };
    tx.labels.insert({ ...row, is_default, updated_at: moment });
    story.labels.set(name, id);
  }
  const changes = Object.entries(wish.files).map(([path, content]) => ({ path, content }));
  story.push({
    by: personNamed(scene, 'mona'),
    message: 'Initial commit',
    atMs: daysAgo(scene, 400),
    changes,
  });
  return story;
}
