import type { Account } from '../schema/accounts.ts';
import type { Repository } from '../schema/repositories.ts';

/** Where the API and the pages for people are. */
export const API = 'https://api.github.com';
export const WEB = 'https://github.com';
export const UPLOADS = 'https://uploads.github.com';

/** `owner/name`. */
export function fullName(owner: Account, repository: Repository): string {
  return `${owner.login}/${repository.name}`;
}

/** Of a repository in the API: `https://api.github.com/repos/owner/name`. */
export function repositoryUrl(owner: Account, repository: Repository): string {
  return `${API}/repos/${fullName(owner, repository)}`;
}
