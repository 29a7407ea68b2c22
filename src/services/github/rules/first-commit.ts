import type { TreeChange } from '../git/index.ts';
import type { Writing } from '../operation.ts';
import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';
import { LICENSES } from '../views/licenses.ts';
import { commitOnBranch } from './commits.ts';
import { entryOf } from './entries.ts';
import { gitignoreNamed } from './gitignore.ts';

/** What a new repository is to hold from the start. */
export interface FirstFiles {
  readonly auto_init?: boolean | null | undefined;
  readonly gitignore_template?: string | null | undefined;
  readonly license_template?: string | null | undefined;
}

/** Makes the first commit of a new repository, where one was asked for: its maker's, with GitHub's hand. */
export function firstCommit(
  ctx: Writing,
  repository: Repository,
  { maker, wish }: { readonly maker: Account; readonly wish: FirstFiles },
): Repository {
  const { auto_init, gitignore_template, license_template } = wish;
  if (auto_init !== true && !gitignore_template && !license_template) return repository;
  const changes: TreeChange[] = [];
  if (auto_init === true) changes.push({ path: 'README.md', content: readmeText(repository) });
  if (gitignore_template)
    changes.push({ path: '.gitignore', content: gitignoreNamed(gitignore_template) ?? '' });
  if (license_template)
    changes.push({ path: 'LICENSE', content: licenseText(ctx, repository, license_template) });
  commitOnBranch(ctx, repository, {
    account: maker,
    branch: repository.default_branch,
    message: 'Initial commit',
    changes,
    byWebFlow: true,
  });
  const license_key = license_template && entryOf(LICENSES, license_template) ? license_template : null;
  return ctx.tx.repositories.update(repository.id, license_key === null ? {} : { license_key });
}

function readmeText({ name, description }: Repository): string {
  return description ? `# ${name}\n${description}\n` : `# ${name}`;
}

/** Names the licence and its holder; where its words are to be read. */
function licenseText(ctx: Writing, repository: Repository, key: string): string {
  const [, name = key] = entryOf(LICENSES, key) ?? [];
  const owner = ctx.tx.accounts.get(repository.owner_id);
  const year = new Date(ctx.nowMs).getUTCFullYear();
  const holder = owner?.name ?? owner?.login ?? repository.name;
  return `${name}\n\nCopyright (c) ${year} ${holder}\n\nhttps://choosealicense.com/licenses/${key}/\n`;
}
