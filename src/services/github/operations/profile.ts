import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading, type Writing } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { PAGE, type PageInput, paged } from '../rules/paging.ts';
import { afterNumber } from '../rules/since.ts';
import { accountNamed, requireViewer } from '../rules/viewer.ts';
import type { Account } from '../schema/accounts.ts';
import type { Email } from '../schema/people.ts';
import { privateUser, simpleUser } from '../views/accounts.ts';

const words = z.string().nullish();
const PROFILE = [
  'name',
  'email',
  'blog',
  'twitter_username',
  'company',
  'location',
  'hireable',
  'bio',
] as const;

const updateViewer = operation({
  id: 'users/update-authenticated',
  summary: 'Changes the own profile.',
  effect: 'write',
  http: { method: 'PATCH', path: '/user' },
  input: z.looseObject({
    name: words,
    email: words,
    blog: words,
    twitter_username: words,
    company: words,
    location: words,
    bio: words,
    hireable: z.boolean().nullish(),
  }),
  output: shown('login', 'id'),
  example: { bio: 'Makes lamps listen.' },
  run(ctx, input) {
    const viewer = requireViewer(ctx);
    const sent = PROFILE.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]);
    const columns = Object.fromEntries(sent) as Partial<Account>;
    return privateUser(ctx.tx.accounts.update(viewer.id, { ...columns, updated_at: momentText(ctx.nowMs) }));
  },
});

function* peopleIn(ctx: Reading): Generator<Account> {
  yield* ctx.tx.accounts.scan();
}

const listUsers = operation({
  id: 'users/list',
  summary: 'Lists all accounts, in the order in which they were made.',
  effect: 'read',
  http: { method: 'GET', path: '/users' },
  input: z.looseObject({ since: z.union([z.int(), z.string()]).optional(), per_page: PAGE.per_page }),
  output: listOf('id', 'login'),
  example: {},
  run: (ctx, input) => afterNumber(ctx, input, { path: '/users', items: peopleIn(ctx) }).map(simpleUser),
});

function emailView({ email, primary, verified, visibility }: Email): JsonObject {
  return { email, primary, verified, visibility };
}

function emailsOf(ctx: Reading): readonly Email[] {
  return [...ctx.tx.emails.by('by_account', [requireViewer(ctx).id])];
}

const listEmails = operation({
  id: 'users/list-emails-for-authenticated-user',
  summary: 'Lists the own mail addresses.',
  effect: 'read',
  http: { method: 'GET', path: '/user/emails' },
  input: z.looseObject(PAGE),
  output: listOf('email', 'primary', 'verified', 'visibility'),
  example: {},
  run: (ctx, input) => paged(ctx, input, { items: emailsOf(ctx), path: '/user/emails', show: emailView }),
});

const listPublicEmails = operation({
  id: 'users/list-public-emails-for-authenticated-user',
  summary: 'Lists the own mail addresses that everybody sees.',
  effect: 'read',
  http: { method: 'GET', path: '/user/public_emails' },
  input: z.looseObject(PAGE),
  output: listOf('email', 'primary', 'verified', 'visibility'),
  example: {},
  run(ctx, input) {
    const items = emailsOf(ctx).filter(({ visibility }) => visibility === 'public');
    return paged(ctx, input, { items, path: '/user/public_emails', show: emailView });
  },
});

/** Addresses are sent as a list, as a member `emails`, or one alone. */
const ADDRESSES = { emails: z.union([z.string(), z.array(z.string())]) };

function addressesIn(ctx: Reading, emails: string | readonly string[]): readonly string[] {
  const list = typeof emails === 'string' ? [emails] : emails;
  const wrong = list.find((email) => !/^[^@\s]+@[^@\s]+$/u.test(email));
  if (wrong === undefined) return list;
  const message = 'Email is not a valid email address';
  return ctx.fail('validation_failed', {
    errors: [{ resource: 'UserEmail', code: 'custom', field: 'email', message }],
  });
}

const addEmails = operation({
  id: 'users/add-email-for-authenticated-user',
  summary: 'Adds mail addresses.',
  effect: 'write',
  http: { method: 'POST', path: '/user/emails', status: 201, bareBody: 'emails' },
  input: z.looseObject(ADDRESSES),
  output: listOf('email', 'primary', 'verified'),
  example: { emails: ['mona@lamps.example'] },
  run(ctx, input) {
    const viewer = requireViewer(ctx);
    const added = addressesIn(ctx, input.emails).filter((email) => !ctx.tx.emails.has([viewer.id, email]));
    let position = emailsOf(ctx).length;
    for (const email of added) {
      const row = { account_id: viewer.id, email, primary: position === 0, verified: false };
      ctx.tx.emails.insert({ ...row, visibility: null, position });
      position += 1;
    }
    return emailsOf(ctx).map(emailView);
  },
});

const deleteEmails = operation({
  id: 'users/delete-email-for-authenticated-user',
  summary: 'Takes mail addresses away.',
  effect: 'write',
  http: { method: 'DELETE', path: '/user/emails', status: 204, bareBody: 'emails' },
  input: z.looseObject(ADDRESSES),
  output: nothing,
  example: { emails: ['mona@octo-works.example'] },
  run(ctx, input) {
    const viewer = requireViewer(ctx);
    for (const email of addressesIn(ctx, input.emails)) {
      const row = ctx.tx.emails.get([viewer.id, email]);
      if (!row) return ctx.fail('not_found');
      ctx.tx.emails.delete([viewer.id, email]);
    }
    return null;
  },
});

const setVisibility = operation({
  id: 'users/set-primary-email-visibility-for-authenticated-user',
  summary: 'Says whether everybody sees the own first mail address.',
  effect: 'write',
  http: { method: 'PATCH', path: '/user/email/visibility' },
  input: z.looseObject({ visibility: z.enum(['public', 'private']) }),
  output: listOf('email', 'primary', 'verified', 'visibility'),
  example: { visibility: 'private' },
  run(ctx, { visibility }) {
    const primary = emailsOf(ctx).find((row) => row.primary) ?? ctx.fail('not_found');
    return [emailView(ctx.tx.emails.update([primary.account_id, primary.email], { visibility }))];
  },
});

const SOCIAL = { account_urls: z.array(z.string()).min(1) };
const PROVIDERS = [
  'facebook',
  'instagram',
  'linkedin',
  'mastodon',
  'npm',
  'reddit',
  'twitch',
  'twitter',
  'youtube',
];

function socialList(
  ctx: Reading,
  { account, path }: { readonly account: Account; readonly path: string },
  input: PageInput,
): JsonObject[] {
  const items = [...ctx.tx.social_accounts.by('by_account', [account.id])];
  return paged(ctx, input, { items, path, show: ({ provider, url }) => ({ provider, url }) });
}

const listSocial = operation({
  id: 'users/list-social-accounts-for-authenticated-user',
  summary: 'Lists the own accounts elsewhere.',
  effect: 'read',
  http: { method: 'GET', path: '/user/social_accounts' },
  input: z.looseObject(PAGE),
  output: listOf('provider', 'url'),
  example: {},
  run: (ctx, input) => socialList(ctx, { account: requireViewer(ctx), path: '/user/social_accounts' }, input),
});

const listSocialOf = operation({
  id: 'users/list-social-accounts-for-user',
  summary: "Lists somebody's accounts elsewhere.",
  effect: 'read',
  http: { method: 'GET', path: '/users/{username}/social_accounts' },
  input: z.looseObject({ username: z.string(), ...PAGE }),
  output: listOf('provider', 'url'),
  example: { username: 'mona' },
  run(ctx, input) {
    const account = accountNamed(ctx, input.username);
    return socialList(ctx, { account, path: `/user/${account.id}/social_accounts` }, input);
  },
});

function providerOf(url: string): string {
  return PROVIDERS.find((name) => url.includes(`${name}.com`) || url.includes(`//${name}.`)) ?? 'generic';
}

const addSocial = operation({
  id: 'users/add-social-account-for-authenticated-user',
  summary: 'Adds accounts elsewhere to the own profile.',
  effect: 'write',
  http: { method: 'POST', path: '/user/social_accounts', status: 201 },
  input: z.looseObject(SOCIAL),
  output: listOf('provider', 'url'),
  example: { account_urls: ['https://mastodon.example/@mona'] },
  run: (ctx, input) => changeSocial(ctx, input.account_urls, true),
});

const deleteSocial = operation({
  id: 'users/delete-social-account-for-authenticated-user',
  summary: 'Takes accounts elsewhere from the own profile.',
  effect: 'write',
  http: { method: 'DELETE', path: '/user/social_accounts', status: 204 },
  input: z.looseObject(SOCIAL),
  output: nothing,
  example: { account_urls: ['https://mastodon.example/@mona'] },
  run(ctx, input) {
    changeSocial(ctx, input.account_urls, false);
    return null;
  },
});

function changeSocial(ctx: Writing, urls: readonly string[], wanted: boolean): JsonObject[] {
  const account_id = requireViewer(ctx).id;
  for (const url of urls) {
    const has = ctx.tx.social_accounts.has([account_id, url]);
    if (wanted && !has) ctx.tx.social_accounts.insert({ account_id, url, provider: providerOf(url) });
    if (!wanted && has) ctx.tx.social_accounts.delete([account_id, url]);
  }
  const all = [...ctx.tx.social_accounts.by('by_account', [account_id])];
  return all.map(({ provider, url }) => ({ provider, url }));
}

export const profileOperations: readonly Operation[] = [
  updateViewer,
  listUsers,
  listEmails,
  listPublicEmails,
  addEmails,
  deleteEmails,
  setVisibility,
  listSocial,
  listSocialOf,
  addSocial,
  deleteSocial,
];
