import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Called, groundhog, run } from './groundhog.ts';

/** Clients of GitHub that nobody here wrote, with their hard-coded hosts, inside `groundhog exec`. */

const folder = mkdtempSync(join(tmpdir(), 'groundhog-github-'));
const GO = ['/usr/local/go/bin/go', '/usr/bin/go'].find((path) => existsSync(path));
const GH = ['/usr/bin/gh', '/usr/local/bin/gh'].find((path) => existsSync(path));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

interface Result {
  readonly exit: number | null;
  readonly steps: number;
  readonly trajectory: string;
  readonly refused: readonly unknown[];
}

async function exec(
  name: string,
  ...program: string[]
): Promise<{ called: Called; result: Result; told: string }> {
  const words = ['exec', '--services', 'github', '--out', `${name}.traj.jsonl`, '--json'];
  const called = await groundhog([...words, '--', ...program], folder);
  return { called, result: called.json<Result & Record<string, unknown>>(), told: called.stderr };
}

/** The operations of a trajectory that were answered as they should be. */
function operationsOf({ trajectory }: Result): string[] {
  const lines = readFileSync(join(folder, trajectory), 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { type: string; tool?: string; status?: number })
    .flatMap(({ type, tool = '', status = 0 }) => (type === 'step' && status < 300 ? [tool] : []));
}

/** The last line that a program wrote which is a JSON object with this member. */
function answerWith(text: string, member: string): Record<string, unknown> {
  const line = text.split('\n').findLast((one) => one.startsWith('{') && one.includes(`"${member}"`)) ?? '{}';
  return JSON.parse(line) as Record<string, unknown>;
}

const PYGITHUB = `
import json, os
from github import Auth, Github
from github.GithubException import UnknownObjectException

hub = Github(auth=Auth.Token(os.environ["GITHUB_TOKEN"]))
told = {"login": hub.get_user().login}
repo = hub.get_repo("octo-works/lamp")
told["branches"] = sorted(branch.name for branch in repo.get_branches())
told["commits"] = [commit.commit.message for commit in repo.get_commits()][0]
told["readme"] = repo.get_readme().decoded_content.decode()
told["contents"] = [entry.path for entry in repo.get_contents("")]
issue = repo.create_issue("By PyGithub", body="Body", labels=["bug"], assignee="hubert")
comment = issue.create_comment("Comment")
comment.edit("Edited")
told["comment"] = issue.get_comment(comment.id).body
issue.add_to_labels("question")
issue.remove_from_labels("bug")
told["labels"] = [label.name for label in issue.get_labels()]
issue.create_reaction("heart")
told["reactions"] = [reaction.content for reaction in issue.get_reactions()]
issue.edit(state="closed", state_reason="not_planned")
told["state"] = [issue.state, issue.state_reason]
told["milestone"] = repo.create_milestone("Dawn").title
label = repo.create_label("warm", "ffaa00")
label.edit("hot", "ff0000")
told["color"] = repo.get_label("hot").color
label.delete()
repo.create_git_ref("refs/heads/dusk", repo.get_branch("main").commit.sha)
made = repo.create_file("dusk.txt", "Dusk", "dusk\\n", branch="dusk")
repo.update_file("dusk.txt", "Darker", "night\\n", made["content"].sha, branch="dusk")
pull = repo.create_pull(base="main", head="dusk", title="Dusk", body="Fixes #1")
told["files"] = [changed.filename for changed in pull.get_files()]
pull.create_review(body="Fine.", event="COMMENT")
told["reviews"] = [review.state for review in pull.get_reviews()]
pull.create_review_request(reviewers=["hubert"])
told["merged"] = pull.merge().merged
told["closed"] = repo.get_issue(1).state
told["found"] = [found.number for found in hub.search_issues("repo:octo-works/lamp is:issue flickers")]
told["teams"] = [team.slug for team in hub.get_organization("octo-works").get_teams()]
told["release"] = repo.create_git_release("v8.0.0", "Eight", "Notes").tag_name
told["tags"] = [tag.name for tag in repo.get_tags()]
try:
    hub.get_repo("octo-works/nope")
except UnknownObjectException as unknown:
    told["missing"] = unknown.status
print(json.dumps(told))
`;

describe('PyGithub', () => {
  it('works unchanged', async () => {
    const python = join(folder, 'venv/bin/python');
    expect((await run(['python3', '-m', 'venv', join(folder, 'venv')])).exit).toBe(0);
    expect(await run([python, '-m', 'pip', 'install', '-q', 'PyGithub==2.10.0'])).toMatchObject({ exit: 0 });
    const { called, result } = await exec('pygithub', python, file('work.py', PYGITHUB));
    expect({ exit: result.exit, refused: result.refused }).toEqual({ exit: 0, refused: [] });
    expect(answerWith(called.stdout + called.stderr, 'login')).toEqual({
      login: 'mona',
      branches: expect.arrayContaining(['main', 'dimmer']),
      commits: 'Dim by ten per cent',
      readme: '# lamp\n\nFirmware of the lamp.\n',
      contents: expect.arrayContaining(['LICENSE', 'README.md', 'docs', 'src']),
      comment: 'Edited',
      labels: ['question'],
      reactions: ['heart'],
      state: ['closed', 'not_planned'],
      milestone: 'Dawn',
      color: 'ff0000',
      files: ['dusk.txt'],
      reviews: ['COMMENTED'],
      merged: true,
      closed: 'closed',
      found: [1],
      teams: expect.arrayContaining(['makers']),
      release: 'v8.0.0',
      tags: expect.arrayContaining(['v8.0.0', 'v1.0.0']),
      missing: 404,
    });
    expect(operationsOf(result).length).toBeGreaterThanOrEqual(35);
  });
});

/** Each command, and what it must write; `gh` ends the script where one fails. */
const GH_COMMANDS: readonly (readonly [command: string, written: RegExp])[] = [
  ['auth status', /Logged in to github\.com as mona/u],
  ['issue list -R $R --json number --jq length', /^2$/mu],
  ['issue list -R $R --label bug', /Flickers when dimmed/u],
  ['issue list -R $R --search flickers', /Flickers when dimmed/u],
  ['issue view 1 -R $R --comments', /I can see it too\./u],
  ['issue create -R $R --title "By gh" --body Body --label bug --assignee hubert', /\/issues\/\d+/u],
  ['issue comment 1 -R $R --body "From gh"', /#issuecomment-/u],
  ['issue edit 1 -R $R --add-label question --title "Flickers a lot"', /\/issues\/1/u],
  ['issue close 1 -R $R --reason "not planned"', /Closed issue #1/u],
  ['issue reopen 1 -R $R', /Reopened issue #1/u],
  ['issue status -R $R', /By gh/u],
  ['pr list -R $R', /Dim to nothing/u],
  ['pr view 4 -R $R', /Dim to nothing/u],
  ['pr view 4 -R $R --json mergeable,commits,files,reviews --jq .mergeable', /MERGEABLE/u],
  ['pr diff 4 -R $R', /^\+ {2}return Math\.max\(0, level - 5\);/mu],
  ['pr comment 4 -R $R --body Nice', /pull\/4#issuecomment-/u],
  ['pr edit 4 -R $R --title Dimmer --add-label bug', /pull\/4/u],
  ['pr close 6 -R $R', /Closed pull request #6/u],
  ['pr reopen 6 -R $R', /Reopened pull request #6/u],
  ['pr merge 6 -R $R --merge --admin; gh api repos/$R/pulls/6 --jq .merged', /^true$/mu],
  ['repo view $R', /Firmware of the lamp/u],
  ['repo list octo-works', /octo-works\/handbook/u],
  ['repo create mona/by-gh --private', /github\.com\/mona\/by-gh/u],
  ['release list -R $R', /v1\.0\.0/u],
  ['release create v9.0.0 -R $R --title Nine --notes New', /releases\/tag\/v9\.0\.0/u],
  ['release view v9.0.0 -R $R', /Nine/u],
  ['label list -R $R', /wontfix/u],
  ['label create shiny -R $R --color ff00ff; gh label list -R $R', /shiny/u],
  ['search issues flickers', /Flickers a lot/u],
  ['search repos lamp', /octo-works\/lamp/u],
  ["api graphql -f query='{viewer{login}}' --jq .data.viewer.login", /^mona$/mu],
  ['api repos/$R/issues --paginate --jq ".[].number"', /^4$/mu],
  ['workflow list -R $R', /Checks/u],
  ['secret list -R $R', /DEPLOY_KEY/u],
  ['gist list', /public/u],
];

describe('gh', () => {
  it.skipIf(GH === undefined)('works unchanged', async () => {
    mkdirSync(join(folder, 'gh'));
    const script = [
      'export GH_PROMPT_DISABLED=1 NO_COLOR=1 GH_NO_UPDATE_NOTIFIER=1 R=octo-works/lamp',
      `export GH_CONFIG_DIR=${join(folder, 'gh')}`,
      // Outside of any clone: `gh` looks for one.
      `cd ${folder}`,
      ...GH_COMMANDS.map(([command], index) => `gh ${command} >${index}.out 2>&1; echo "$?" >${index}.exit`),
    ];
    const { result } = await exec('gh', 'sh', file('gh.sh', script.join('\n')));
    expect(result.refused).toEqual([]);
    for (const [index, [command, written]] of GH_COMMANDS.entries()) {
      const out = readFileSync(join(folder, `${index}.out`), 'utf8');
      const exit = readFileSync(join(folder, `${index}.exit`), 'utf8').trim();
      expect({ command, exit, out }).toEqual({ command, exit: '0', out: expect.stringMatching(written) });
    }
    expect(operationsOf(result).length).toBeGreaterThanOrEqual(GH_COMMANDS.length);
  });
});

const MCP_SERVER = 'github.com/github/github-mcp-server';
const MCP_SERVER_VERSION = 'v1.6.0';

/** Builds the official server from its module. */
function buildServer(go: string): string {
  const home = join(folder, 'server');
  mkdirSync(home);
  const program = join(home, 'github-mcp-server');
  writeFileSync(join(home, 'go.mod'), `module clients\n\ngo 1.24\n`);
  const options = { cwd: home, env: { ...process.env, GOFLAGS: '-mod=mod' }, stdio: 'pipe' } as const;
  execFileSync(go, ['mod', 'edit', `-require=${MCP_SERVER}@${MCP_SERVER_VERSION}`], options);
  execFileSync(go, ['build', '-o', program, `${MCP_SERVER}/cmd/github-mcp-server`], options);
  return program;
}

describe('github-mcp-server', () => {
  it.skipIf(GO === undefined)('works unchanged', { timeout: 900_000 }, async () => {
    const program = buildServer(GO ?? 'go');
    const driver = new URL('github-mcp.ts', import.meta.url).pathname;
    const { called, result } = await exec('server', process.execPath, driver, program);
    expect({ exit: result.exit, refused: result.refused }).toEqual({ exit: 0, refused: [] });
    const answers = answerWith(called.stdout + called.stderr, 'me');
    expect(answers).toMatchObject({
      me: { login: 'mona' },
      issues: { totalCount: 1, issues: [{ number: 1, labels: ['bug'] }] },
      issue: { title: 'Flickers when dimmed', has_children: true },
      comments: [{ body: 'I can see it too.' }],
      parts: [{ number: 2 }],
      labels: { totalCount: 1 },
      made: { url: expect.stringContaining('/issues/') },
      closed: { url: expect.stringContaining('/issues/3') },
      comment: { url: expect.stringContaining('#issuecomment-') },
      branch: { ref: 'refs/heads/dusk' },
      file: { content: { path: 'dusk.txt' } },
      contents: expect.stringMatching(/^successfully downloaded text file/u),
      pushed: { ref: 'refs/heads/dusk' },
      diff: expect.stringContaining('+Dämmerung'),
      files: [{ filename: 'a.txt' }, { filename: 'dusk.txt' }],
      pending: 'pending pull request created',
      remark: 'pull request review comment successfully added to pending review',
      review: 'pending pull request review successfully submitted',
      threads: { totalCount: 1 },
      merged: { merged: true },
      commits: [{ commit: { message: expect.stringContaining('Dusk') } }],
      search: { total_count: 1 },
      teams: [{ org: 'octo-works', teams: [{ slug: 'makers' }] }],
      members: expect.arrayContaining(['hubert']),
      label: { name: 'bug', color: 'd73a4a' },
      missing: { failed: expect.stringContaining('404 Not Found') },
      unseen: { failed: expect.stringContaining('Could not resolve to a Repository') },
    });
    expect(operationsOf(result).length).toBeGreaterThanOrEqual(30);
  });
});
