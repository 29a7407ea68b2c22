import { z } from 'zod';
import { operation, type Reading } from '../operation.ts';
import { resolve } from '../rules/refs.ts';
import { repositoryAt } from '../rules/repositories.ts';
import { ownerOf } from '../views/repositories.ts';
import { fullName } from '../views/urls.ts';
import { REPOSITORY } from './repositories.ts';

/** Sends on to where an archive of a ref is; the bytes are not of the API. */
function archive(format: 'zip' | 'tar.gz', word: 'zipball' | 'tarball') {
  return operation({
    id: `repos/download-${word}-archive`,
    summary: `Says where the ${format} of a ref is.`,
    effect: 'read',
    http: {
      method: 'GET',
      path: `/repos/{owner}/{repo}/${word}/{ref*}`,
      status: 302,
      aliases: [
        { path: `/repos/{owner}/{repo}/${word}`, values: { owner: '{owner}', repo: '{repo}', ref: '' } },
      ],
    },
    input: z.looseObject({ ...REPOSITORY, ref: z.string() }),
    output: z.literal(''),
    example: { owner: 'octo-works', repo: 'lamp', ref: 'main' },
    run(ctx, input) {
      const repository = repositoryAt(ctx, input);
      const ref = input.ref === '' ? repository.default_branch : input.ref;
      if (resolve(ctx, repository, ref) === undefined) ctx.fail('not_found');
      const name = fullName(ownerOf(ctx, repository), repository);
      const location = `https://codeload.github.com/${name}/legacy.${format}/${fullRefOf(ctx, { repository, ref })}`;
      const headers = {
        location,
        'content-type': 'text/html;charset=utf-8',
        'cache-control': 'public, must-revalidate, max-age=0',
      };
      ctx.reply({ headers, form: 'text' });
      return '' as const;
    },
  });
}

function fullRefOf(
  { tx }: Reading,
  { repository, ref }: { readonly repository: { readonly id: number }; readonly ref: string },
): string {
  for (const full of [`refs/tags/${ref}`, `refs/heads/${ref}`])
    if (tx.git_refs.has([repository.id, full])) return full;
  return ref;
}

export const archiveOperations = [archive('zip', 'zipball'), archive('tar.gz', 'tarball')];
