import { DEFAULT_LABELS } from '../../rules/labels.ts';
import { blankRepository } from '../../rules/new-repository.ts';
import type { Repository } from '../../schema/repositories.ts';
import { Code } from './code.ts';
import { writeIssue } from './issues.ts';
import { writePull } from './pulls.ts';
import { DAY_MS, type Scene } from './scene.ts';
import { Story } from './story.ts';
import { LANGUAGES, PARTS, PRODUCTS, TOPICS } from './words.ts';

const EXTRA_LABELS: readonly (readonly [name: string, color: string, description: string])[] = [
  ['priority: high', 'b60205', 'To be done first'],
  ['priority: low', 'c2e0c6', 'To be done when there is time'],
  ['regression', 'd93f0b', 'It worked before'],
  ['security', 'ee0701', 'Not to be talked about in public'],
  ['needs triage', 'fbca04', 'Nobody has looked at it yet'],
];

/** Repositories with their histories; issues and pulls are dealt out so that few have many. */
export function addRepositories(scene: Scene): void {
  const { plan } = scene;
  const shares = sharesOf(plan.repositories);
  for (let index = 0; index < plan.repositories; index += 1) {
    const share = shares[index] ?? 0;
    writeStory(scene, index, {
      issues: Math.round(plan.issues * share),
      pulls: Math.round(plan.pulls * share),
    });
  }
}

/** Shares that add up to one: the first has the most, each next one a little less. */
function sharesOf(count: number): number[] {
  const weights = Array.from({ length: count }, (_, index) => 1 / (index + 3));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function writeStory(
  scene: Scene,
  index: number,
  { issues, pulls }: { readonly issues: number; readonly pulls: number },
): void {
  const { random, epochMs } = scene;
  const ageMs = random.integer(200, 900) * DAY_MS;
  const repository = newRepository(scene, index, ageMs);
  const story = new Story(scene, repository, new Code(random, random.integer(3, 6)));
  addLabels(story);
  const milestones = addMilestones(story, ageMs);
  const startMs = epochMs - ageMs;
  const first = story.code.firstFiles(repository.name, repository.description ?? '');
  const changes = [...first].map(([path, content]) => ({ path, content }));
  story.push({ by: scene.somebody(), message: 'Initial commit', atMs: startMs, changes });
  const kinds = random.shuffle([
    ...Array.from({ length: issues }, () => 'issue' as const),
    ...Array.from({ length: pulls }, () => 'pull' as const),
  ]);
  const stepMs = Math.floor((ageMs - 2 * DAY_MS) / (kinds.length + 1));
  for (const [position, kind] of kinds.entries()) {
    const atMs = startMs + (position + 1) * stepMs;
    const isRecent = position > kinds.length * 0.8;
    if (kind === 'issue') writeIssue(story, { atMs, isRecent, milestones });
    else writePull(story, { atMs, isRecent });
    if (position === Math.floor(kinds.length / 2)) release(story, 'v1.0.0', atMs);
  }
  if (kinds.length > 8) release(story, 'v1.1.0', epochMs - 3 * DAY_MS);
  story.end();
}

function newRepository(scene: Scene, index: number, ageMs: number): Repository {
  const { random, tx, org, people } = scene;
  const product = PRODUCTS[index % PRODUCTS.length] ?? 'thing';
  const round = Math.floor(index / PRODUCTS.length);
  const part = PARTS[round % PARTS.length] ?? '';
  const name = round === 0 ? `${product}-service` : `${product}-${part}${round > PARTS.length ? round : ''}`;
  const owner = random.chance(0.85) ? org : random.pick(people);
  const moment = scene.ago(ageMs);
  const visibility = random.chance(0.2) ? 'private' : 'public';
  const repository = tx.repositories.insert({
    ...blankRepository({ id: scene.id('repositories'), owner_id: owner.id }, name, moment),
    description: `The ${product} of the house, ${part === '' || round === 0 ? 'as a service' : part}.`,
    visibility,
    language: random.pick(LANGUAGES),
    topics: random
      .shuffle([...TOPICS])
      .slice(0, random.integer(0, 3))
      .sort(),
    license_key: random.pick(['mit', 'apache-2.0', null]),
    archived: random.chance(0.05),
    stargazers: 0,
  });
  const account = tx.accounts.get(owner.id) ?? owner;
  tx.accounts.update(owner.id, {
    ...(visibility === 'public' && { public_repos: account.public_repos + 1 }),
    ...(visibility === 'private' && {
      total_private_repos: account.total_private_repos + 1,
      owned_private_repos: account.owned_private_repos + 1,
    }),
  });
  return repository;
}

function addLabels(story: Story): void {
  const { scene, repository, labels } = story;
  const { id: repository_id, created_at: updated_at } = repository;
  for (const [name, color, description] of [...DEFAULT_LABELS, ...EXTRA_LABELS]) {
    const id = scene.id('labels');
    const is_default = DEFAULT_LABELS.some(([known]) => known === name);
    scene.tx.labels.insert({
      id,
      repository_id,
      name,
      name_key: name,
      color,
      is_default,
      description,
      updated_at,
    });
    labels.set(name, id);
  }
}

/** One milestone that is over and one that is open. */
function addMilestones(story: Story, ageMs: number): number[] {
  const { scene, repository } = story;
  return ['Foundation', 'Next'].map((title, index) => {
    const id = scene.id('milestones');
    const created_at = scene.ago(ageMs - DAY_MS);
    const closed_at = index === 0 ? scene.ago(60 * DAY_MS) : null;
    scene.tx.milestones.insert({
      id,
      repository_id: repository.id,
      number: index + 1,
      title,
      description: null,
      state: index === 0 ? 'closed' : 'open',
      creator_id: scene.people[0]?.id ?? null,
      due_on: index === 0 ? null : '2026-04-30T00:00:00Z',
      open_issues: 0,
      closed_issues: 0,
      created_at,
      updated_at: created_at,
      closed_at,
    });
    return id;
  });
}

function release(story: Story, tag_name: string, atMs: number): void {
  const { scene, repository, head } = story;
  const { tx } = scene;
  const moment = scene.ago(scene.epochMs - atMs);
  story.point(`refs/tags/${tag_name}`, head);
  tx.releases.insert({
    id: scene.id('releases'),
    repository_id: repository.id,
    author_id: scene.somebody().id,
    tag_name,
    target_commitish: repository.default_branch,
    name: tag_name,
    body: `What is new in ${tag_name}: see the change log.`,
    draft: false,
    prerelease: false,
    discussion_number: null,
    marked_latest: false,
    never_latest: false,
    created_at: moment,
    updated_at: moment,
    published_at: moment,
  });
}
