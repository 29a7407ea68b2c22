import { momentText } from '../../moments.ts';
import { HOUR_MS, type Scene } from '../lived-in/scene.ts';
import type { Story } from '../lived-in/story.ts';
import { daysAgo, personNamed, placeFor } from './place.ts';

const RULES = `# When a pull may be merged

All of these, or it waits:

1. It is no draft, and it goes into \`main\`.
2. Its newest commit has two checks, \`build\` and \`test\`, and both succeeded.
3. Somebody else approved it, and nobody's last word asks for changes.

Merge by squashing. Say nothing on pulls that wait.
`;

type Verdict = 'approved' | 'changes' | 'none';
type Checks = 'green' | 'red' | 'running';

/** One pull: the fruit that it is about, what reviewers and checks say, and whether it is a draft. */
interface Wish {
  readonly fruit: string;
  readonly verdict: Verdict;
  readonly checks: Checks;
  readonly draft?: boolean;
}

/** Twenty-two pulls of which nine may be merged. */
const WISHES: readonly Wish[] = [
  { fruit: 'apple', verdict: 'approved', checks: 'green' },
  { fruit: 'apricot', verdict: 'approved', checks: 'red' },
  { fruit: 'banana', verdict: 'none', checks: 'green' },
  { fruit: 'cherry', verdict: 'approved', checks: 'green' },
  { fruit: 'currant', verdict: 'changes', checks: 'green' },
  { fruit: 'date', verdict: 'approved', checks: 'running' },
  { fruit: 'elder', verdict: 'approved', checks: 'green', draft: true },
  { fruit: 'fig', verdict: 'approved', checks: 'green' },
  { fruit: 'grape', verdict: 'none', checks: 'red' },
  { fruit: 'guava', verdict: 'approved', checks: 'green' },
  { fruit: 'kiwi', verdict: 'changes', checks: 'red' },
  { fruit: 'lemon', verdict: 'approved', checks: 'green' },
  { fruit: 'lime', verdict: 'none', checks: 'green' },
  { fruit: 'mango', verdict: 'approved', checks: 'red' },
  { fruit: 'medlar', verdict: 'approved', checks: 'green' },
  { fruit: 'nectarine', verdict: 'approved', checks: 'running' },
  { fruit: 'olive', verdict: 'approved', checks: 'green' },
  { fruit: 'orange', verdict: 'changes', checks: 'green' },
  { fruit: 'papaya', verdict: 'approved', checks: 'green' },
  { fruit: 'peach', verdict: 'none', checks: 'green', draft: true },
  { fruit: 'pear', verdict: 'approved', checks: 'green' },
  { fruit: 'plum', verdict: 'approved', checks: 'red' },
];

/** A repository in which many pulls wait, some of them for no reason. */
export function tellOrchard(scene: Scene): void {
  const files: Record<string, string> = {
    'README.md': '# orchard\n\nFacts about fruit.\n',
    'CONTRIBUTING.md': RULES,
  };
  for (const { fruit } of WISHES) files[`src/${fruit}.ts`] = textOf(fruit, 1);
  const story = placeFor(scene, { name: 'orchard', description: 'Facts about fruit.', files });
  for (const [index, wish] of WISHES.entries()) tellPull(story, wish, index);
  story.end();
}

function textOf(fruit: string, season: number): string {
  return `export const ${fruit} = { name: '${fruit}', season: ${season} };\n`;
}

function tellPull(story: Story, wish: Wish, index: number): void {
  const { scene, repository, head: base } = story;
  const { tx } = scene;
  const by = personNamed(scene, 'hubert');
  const atMs = daysAgo(scene, 9) + index * 8 * HOUR_MS;
  const changes = [{ path: `src/${wish.fruit}.ts`, content: textOf(wish.fruit, 2 + (index % 3)) }];
  const title = `Correct the season of ${wish.fruit}`;
  const head = story.commit([base], { by, message: title, atMs, changes });
  story.point(`refs/heads/season-${wish.fruit}`, head);
  const created_at = momentText(atMs);
  const issue = story.issue({
    kind: 'pull',
    title,
    body: `The season of ${wish.fruit} was wrong.\n`,
    user_id: by.id,
    created_at,
  });
  story.pull(issue, {
    head_ref: `season-${wish.fruit}`,
    head_sha: head,
    base_sha: base,
    draft: wish.draft ?? false,
  });
  tellChecks(story, head, { checks: wish.checks, moment: created_at });
  if (wish.verdict === 'none') return;
  tx.pull_reviews.insert({
    id: scene.id('pull_reviews'),
    issue_id: issue.id,
    repository_id: repository.id,
    user_id: scene.people[2 + (index % (scene.people.length - 2))]?.id ?? null,
    author_association: 'MEMBER',
    body: wish.verdict === 'approved' ? 'Right.' : 'Please cite a source.',
    state: wish.verdict === 'approved' ? 'APPROVED' : 'CHANGES_REQUESTED',
    commit_sha: head,
    submitted_at: momentText(atMs + 2 * HOUR_MS),
  });
}

const APP = { id: 15_368, slug: 'github-actions', name: 'GitHub Actions' };

function tellChecks(
  { scene, repository }: Story,
  head_sha: string,
  { checks, moment }: { readonly checks: Checks; readonly moment: string },
): void {
  const { tx } = scene;
  const suite_id = scene.id('check_suites');
  const running = checks === 'running';
  const verdict = checks === 'red' ? 'failure' : 'success';
  const status = running ? 'in_progress' : 'completed';
  tx.check_suites.insert({
    id: suite_id,
    repository_id: repository.id,
    head_branch: null,
    head_sha,
    before_sha: null,
    status,
    conclusion: running ? null : verdict,
    app: APP,
    created_at: moment,
    updated_at: moment,
  });
  for (const name of ['build', 'test']) {
    const isOpen = running && name === 'test';
    const conclusion = isOpen ? null : name === 'test' ? verdict : 'success';
    tx.check_runs.insert({
      id: scene.id('check_runs'),
      repository_id: repository.id,
      suite_id,
      head_sha,
      name,
      external_id: '',
      details_url: null,
      status: isOpen ? 'in_progress' : 'completed',
      conclusion: running && name === 'build' ? 'success' : conclusion,
      title: null,
      summary: null,
      text: null,
      annotations: [],
      actions: [],
      started_at: moment,
      completed_at: isOpen ? null : moment,
    });
  }
}
