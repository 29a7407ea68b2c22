import { momentText } from '../../moments.ts';
import { HOUR_MS, type Scene } from '../lived-in/scene.ts';
import type { Story } from '../lived-in/story.ts';
import { daysAgo, personNamed, placeFor } from './place.ts';

const CHANGES = '# Changes\n\n## 2.0.0\n\n- The first harbor.\n';
const RELEASING = `# Releases

Fixes for the last release go to the branch \`release/2.0\`: on a branch of their own that begins there, with
the label \`backport\` on the pull. What is new since the last release is listed in CHANGELOG.md under
\`## Unreleased\`, one line \`- TITLE (#NUMBER)\` for each merged pull, the oldest first.
`;

/** A merged pull: its title, and what it makes of the numbers of the harbor. */
const MERGED: readonly (readonly [title: string, name: string, amount: number])[] = [
  ['Raise the quay', 'quay', 12],
  ['Widen the lock', 'lock', 41],
  ['Deepen the basin', 'basin', 9],
  ['Count empty ships', 'ships', 3],
  ['Lower the crane', 'crane', 7],
  ['Light the pier', 'pier', 22],
  ['Slow the tugs', 'tugs', 5],
  ['Round the toll up', 'toll', 19],
  ['Fix the toll for small boats', 'boats', 2],
  ['Open at six', 'opening', 6],
  ['Name the berths', 'berths', 14],
  ['Move the buoys', 'buoys', 8],
];

/** What the numbers were in the last release. */
const RELEASED: Readonly<Record<string, number>> = {
  quay: 10,
  lock: 40,
  basin: 8,
  ships: 1,
  crane: 9,
  pier: 20,
  tugs: 6,
  toll: 18,
  boats: 3,
  opening: 7,
  berths: 13,
  buoys: 9,
};

/** A repository with a release behind it, what was merged since, and a report that something broke. */
export function tellHarbor(scene: Scene): void {
  const files: Record<string, string> = {
    'README.md': '# harbor\n\nNumbers of a harbor.\n',
    'CHANGELOG.md': CHANGES,
    'RELEASING.md': RELEASING,
  };
  for (const [name, amount] of Object.entries(RELEASED)) files[`src/${name}.ts`] = textOf(name, amount);
  const story = placeFor(scene, {
    name: 'harbor',
    description: 'Numbers of a harbor.',
    files,
    labels: [
      ['backport', '1d76db', 'Goes into the last release'],
      ['regression', 'd93f0b', 'It worked before'],
    ],
  });
  story.point('refs/heads/release/2.0', story.head);
  release(story);
  for (const [index, change] of MERGED.entries()) tellMerged(story, change, index);
  const issue = story.issue({
    kind: 'issue',
    title: 'Ships no longer fit since 2.0',
    body: 'In 2.0.0 the crane was at 9 and our ships fit below it. On main they hit it. Which change did that?',
    user_id: personNamed(scene, 'hubert').id,
    created_at: momentText(daysAgo(scene, 2)),
  });
  story.label(issue, ['bug', 'regression']);
  story.end();
}

function textOf(name: string, amount: number): string {
  return `/** In metres, or as many. */\nexport const ${name} = ${amount};\n`;
}

function release({ scene, repository, head }: Story): void {
  const moment = scene.ago(scene.epochMs - daysAgo(scene, 90));
  const ref = 'refs/tags/v2.0.0';
  scene.tx.git_refs.insert({ repository_id: repository.id, ref, sha: head });
  scene.tx.releases.insert({
    id: scene.id('releases'),
    repository_id: repository.id,
    author_id: personNamed(scene, 'mona').id,
    tag_name: 'v2.0.0',
    target_commitish: 'main',
    name: 'Harbor 2.0.0',
    body: 'The first harbor.',
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

function tellMerged(story: Story, [title, name, amount]: (typeof MERGED)[number], index: number): void {
  const { scene, head: base } = story;
  const by = scene.people[1 + (index % (scene.people.length - 1))] ?? personNamed(scene, 'hubert');
  const merger = personNamed(scene, 'mona');
  const atMs = daysAgo(scene, 60) + index * 96 * HOUR_MS;
  const endMs = atMs + 20 * HOUR_MS;
  const changes = [{ path: `src/${name}.ts`, content: textOf(name, amount) }];
  const head = story.commit([base], { by, message: title, atMs, changes });
  const issue = story.issue({
    kind: 'pull',
    title,
    body: `${title}: ${name} is ${amount} now.\n`,
    user_id: by.id,
    created_at: momentText(atMs),
    state: 'closed',
    closed_at: momentText(endMs),
    updated_at: momentText(endMs),
    closed_by_id: merger.id,
  });
  const message = `Merge pull request #${issue.number}\n\n${title}`;
  const sha = story.commit([base, head], { by: merger, message, atMs: endMs, changes });
  story.head = sha;
  story.worked(by);
  story.pull(issue, {
    head_ref: `change-${name}`,
    head_sha: head,
    base_sha: base,
    merged_at: momentText(endMs),
    merged_by_id: merger.id,
    merge_commit_sha: sha,
  });
}
