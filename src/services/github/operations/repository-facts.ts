import { z } from 'zod';
import type { JsonObject } from '../../../service/index.ts';
import { log, utcSeconds } from '../git/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { accountOfEmail } from '../rules/commits.ts';
import { entriesIn, entryIn, licenseIn, readmeIn, snapshotAt } from '../rules/contents.ts';
import { languagesOf } from '../rules/languages.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { findCommit, isEmpty, objectsOf } from '../rules/refs.ts';
import { repositoryAt, requireRole } from '../rules/repositories.ts';
import type { Repository } from '../schema/repositories.ts';
import { simpleUser } from '../views/accounts.ts';
import { placeOf } from '../views/issues.ts';
import { licenseView } from '../views/licenses.ts';
import { numberedPath, ownerOf } from '../views/repositories.ts';
import { fullName } from '../views/urls.ts';
import { REPOSITORY, writableRepository } from './repositories.ts';

const EXAMPLE = { owner: 'octo-works', repo: 'lamp' };

const getTopics = operation({
  id: 'repos/get-all-topics',
  summary: 'Lists the topics of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/topics' },
  input: z.looseObject(REPOSITORY),
  output: shown('names'),
  example: EXAMPLE,
  run: (ctx, input) => ({ names: repositoryAt(ctx, input).topics }),
});

const MOST_TOPICS = 20;
const TOPIC = /^[a-z0-9][a-z0-9-]{0,49}$/u;

const replaceTopics = operation({
  id: 'repos/replace-all-topics',
  summary: 'Sets the topics of a repository; those it had keep their order.',
  effect: 'write',
  http: { method: 'PUT', path: '/repos/{owner}/{repo}/topics' },
  input: z.looseObject({ ...REPOSITORY, names: z.array(z.string()) }),
  output: shown('names'),
  example: { ...EXAMPLE, names: ['lamp', 'firmware'] },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const names = [...new Set(input.names.map((name) => name.toLowerCase()))];
    if (names.length > MOST_TOPICS) {
      ctx.fail('unprocessable', { message: 'A repository cannot have more than 20 topics.' });
    }
    if (!names.every((name) => TOPIC.test(name))) {
      const message =
        'Topics must start with a lowercase letter or number, consist of 50 characters or less, and can include hyphens.';
      ctx.fail('unprocessable', { message });
    }
    const kept = repository.topics.filter((name) => names.includes(name));
    const topics = [...kept, ...names.filter((name) => !kept.includes(name))];
    ctx.tx.repositories.update(repository.id, { topics, updated_at: momentText(ctx.nowMs) });
    return { names: topics };
  },
});

const listLanguages = operation({
  id: 'repos/list-languages',
  summary: 'Tells how many bytes of which languages a repository holds.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/languages' },
  input: z.looseObject(REPOSITORY),
  output: shown(),
  example: EXAMPLE,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    ctx.reply({ facts: { modified: repository.updated_at } });
    return Object.fromEntries(languagesOf(ctx, repository));
  },
});

const listContributors = operation({
  id: 'repos/list-contributors',
  summary: 'Lists who has commits in the default branch, the busiest first.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/contributors' },
  input: z.looseObject({
    ...REPOSITORY,
    anon: z.union([z.string(), z.int(), z.boolean()]).optional(),
    ...PAGE,
  }),
  output: listOf('contributions'),
  example: EXAMPLE,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const anon = input.anon !== undefined && ['1', 'true'].includes(String(input.anon));
    const known = [...ctx.tx.contributions.scan({ after: [repository.id, 0] })]
      .filter(({ repository_id }) => repository_id === repository.id)
      .flatMap(({ user_id, contributions }) => {
        const account = ctx.tx.accounts.get(user_id);
        return account ? [{ ...simpleUser(account), contributions }] : [];
      });
    const items = [...known, ...(anon ? strangersOf(ctx, repository) : [])].sort(
      (one, other) => other.contributions - one.contributions,
    );
    ctx.reply({ facts: { modified: repository.pushed_at } });
    const path = numberedPath(repository, '/contributors');
    return paged(ctx, input, { items, path, show: (item) => item });
  },
});

interface Contributor extends JsonObject {
  readonly contributions: number;
}

/** Authors whose address is nobody's. */
function strangersOf(ctx: Reading, repository: Repository): Contributor[] {
  const head = findCommit(ctx, repository, repository.default_branch);
  const counts = new Map<string, Contributor>();
  for (const { commit } of head === undefined ? [] : log(objectsOf(ctx), [head])) {
    const { email, name } = commit.author;
    if (accountOfEmail(ctx, email)) continue;
    const contributions = (counts.get(email)?.contributions ?? 0) + 1;
    counts.set(email, { email, name, type: 'Anonymous', contributions });
  }
  return [...counts.values()];
}

const dispatch = operation({
  id: 'repos/create-dispatch-event',
  summary: 'Tells workflows and apps that something happened elsewhere.',
  effect: 'write',
  http: { method: 'POST', path: '/repos/{owner}/{repo}/dispatches', status: 204 },
  input: z.looseObject({
    ...REPOSITORY,
    event_type: z.string().max(100),
    client_payload: z.record(z.string(), z.json()).nullish(),
  }),
  output: nothing,
  example: { ...EXAMPLE, event_type: 'shipped', client_payload: { lamps: 3 } },
  run(ctx, input) {
    const repository = writableRepository(ctx, input);
    requireRole(ctx, repository, 'write');
    const payload = (input.client_payload ?? {}) as JsonObject;
    if (Object.keys(payload).length > MOST_PROPERTIES) {
      const problem = 'No more than 10 properties are allowed; 11 were supplied.';
      ctx.fail('invalid_request', { problem });
    }
    const data = { repository_id: repository.id, action: input.event_type, client_payload: payload };
    ctx.emit({ type: 'repository_dispatch', data });
    return null;
  },
});

const MOST_PROPERTIES = 10;

const communityProfile = operation({
  id: 'repos/get-community-profile-metrics',
  summary: 'Tells which files for contributors a repository has.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/community/profile' },
  input: z.looseObject(REPOSITORY),
  output: shown('health_percentage', 'files'),
  example: EXAMPLE,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const files = profileFiles(ctx, repository);
    const wanted = [
      repository.description,
      files.readme,
      files.license,
      files.contributing,
      files.code_of_conduct,
      files.issue_template,
      files.pull_request_template,
    ];
    const present = wanted.filter((file) => file !== null && file !== undefined && file !== '').length;
    return {
      health_percentage: Math.floor((present * 100) / wanted.length),
      description: repository.description,
      documentation: repository.homepage,
      files,
      updated_at: repository.updated_at,
      content_reports_enabled: false,
    };
  },
});

function profileFiles(ctx: Reading, repository: Repository): JsonObject {
  const { url, web } = placeOf(ctx, repository);
  const reader = objectsOf(ctx);
  const snapshot = isEmpty(ctx, repository) ? undefined : snapshotAt(ctx, repository, undefined);
  const directories = ['.github', '', 'docs'].flatMap((path) => {
    const entry = snapshot && entryIn(reader, snapshot, path);
    return entry?.type === 'tree' ? [entry] : [];
  });
  const address = (path: string): JsonObject => ({
    url: `${url}/contents/${path}`,
    html_url: `${web}/blob/${repository.default_branch}/${path}`,
  });
  const found = (pattern: RegExp): JsonObject | null => {
    const files = directories.flatMap((directory) => entriesIn(reader, directory));
    const file = files.find(({ path }) => pattern.test(path.slice(path.lastIndexOf('/') + 1)));
    return file ? address(file.path) : null;
  };
  const root = snapshot ? entryIn(reader, snapshot, '') : null;
  const readme = root && readmeIn(reader, root);
  const license = root && licenseIn(reader, root);
  const conduct = found(/^code_of_conduct\b/iu);
  return {
    code_of_conduct: conduct && { ...conduct, key: 'other', name: 'Other' },
    code_of_conduct_file: conduct,
    contributing: found(/^contributing\b/iu),
    issue_template: found(/^issue_template(?:\.md)?$/iu),
    pull_request_template: found(/^pull_request_template(?:\.md)?$/iu),
    license: license
      ? {
          ...licenseView(repository.license_key ?? 'other'),
          html_url: address(license.path).html_url ?? null,
        }
      : null,
    readme: readme && address(readme.path),
  };
}

const exportSbom = operation({
  id: 'dependency-graph/export-sbom',
  summary: 'Gives the software bill of materials of a repository.',
  effect: 'read',
  http: { method: 'GET', path: '/repos/{owner}/{repo}/dependency-graph/sbom' },
  input: z.looseObject(REPOSITORY),
  output: shown('sbom'),
  example: EXAMPLE,
  run(ctx, input) {
    const repository = repositoryAt(ctx, input);
    const name = fullName(ownerOf(ctx, repository), repository);
    const head = findCommit(ctx, repository, repository.default_branch);
    const root = `SPDXRef-github-${name.replaceAll(/[^\w.-]+/gu, '-')}-${repository.default_branch}`;
    return {
      sbom: {
        SPDXID: 'SPDXRef-DOCUMENT',
        spdxVersion: 'SPDX-2.3',
        creationInfo: {
          created: utcSeconds(momentText(ctx.nowMs)),
          creators: ['Tool: GitHub.com-Dependency-Graph'],
        },
        name: `com.github.${name}`,
        dataLicense: 'CC0-1.0',
        documentNamespace: `https://spdx.org/spdxdocs/protobom/${head ?? repository.id}`,
        packages: [
          {
            SPDXID: root,
            name: `com.github.${name}`,
            versionInfo: repository.default_branch,
            downloadLocation: `git+https://github.com/${name}`,
            filesAnalyzed: false,
            licenseDeclared: licenseView(repository.license_key)?.spdx_id ?? 'NOASSERTION',
          },
        ],
        relationships: [
          { relationshipType: 'DESCRIBES', spdxElementId: 'SPDXRef-DOCUMENT', relatedSpdxElement: root },
        ],
      },
    };
  },
});

export const repositoryFactOperations = [
  getTopics,
  replaceTopics,
  listLanguages,
  listContributors,
  dispatch,
  communityProfile,
  exportSbom,
];
