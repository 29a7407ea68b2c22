import { z } from 'zod';
import type { JsonObject, Operation } from '../../../service/index.ts';
import { momentText } from '../moments.ts';
import { operation, type Reading } from '../operation.ts';
import { listOf, nothing, shown } from '../output.ts';
import { readGpgKey } from '../rules/gpg.ts';
import { freshId, idOf } from '../rules/ids.ts';
import { PAGE, paged } from '../rules/paging.ts';
import { accountNamed, requireViewer } from '../rules/viewer.ts';
import type { UserKey } from '../schema/people.ts';
import { API } from '../views/urls.ts';

type Kind = UserKey['kind'];

/** How keys of a kind are named in ids, paths and refusals. */
const KINDS: Readonly<Record<Kind, { path: string; noun: string; parameter: string; example: number }>> = {
  ssh: { path: 'keys', noun: 'public-ssh-key', parameter: 'key_id', example: 110_000_001 },
  signing: {
    path: 'ssh_signing_keys',
    noun: 'ssh-signing-key',
    parameter: 'ssh_signing_key_id',
    example: 110_000_002,
  },
  gpg: { path: 'gpg_keys', noun: 'gpg-key', parameter: 'gpg_key_id', example: 110_000_003 },
};

function keyView(row: UserKey): JsonObject {
  if (row.kind === 'gpg') return { id: row.id, name: row.title, ...(row.details as JsonObject) };
  const { id, key, title, created_at } = row;
  if (row.kind === 'signing') return { id, key, title, created_at };
  const { verified, read_only } = row;
  return { id, key, url: `${API}/user/keys/${id}`, title, verified, created_at, read_only };
}

function keysOf(ctx: Reading, account_id: number, kind: Kind): readonly UserKey[] {
  return [...ctx.tx.user_keys.by('by_account', [account_id, kind])];
}

function keyAt(ctx: Reading, kind: Kind, id: unknown): UserKey {
  const row = ctx.tx.user_keys.get(idOf(id));
  const own = row?.account_id === requireViewer(ctx).id && row.kind === kind;
  return own && row ? row : ctx.fail('not_found');
}

function readingOperations(kind: Kind): readonly Operation[] {
  const { path, noun, parameter, example } = KINDS[kind];
  const one = { [parameter]: z.union([z.int(), z.string()]) };
  const listed = kind === 'ssh' ? 'public-keys' : `${noun}s`;
  return [
    operation({
      id: `users/list-${noun}s-for-authenticated-user`,
      summary: 'Lists the own public keys.',
      effect: 'read',
      http: { method: 'GET', path: `/user/${path}` },
      input: z.looseObject(PAGE),
      output: listOf('id'),
      example: {},
      run: (ctx, input) =>
        paged(ctx, input, {
          items: keysOf(ctx, requireViewer(ctx).id, kind),
          path: `/user/${path}`,
          show: keyView,
        }),
    }),
    operation({
      id: `users/list-${listed}-for-user`,
      summary: "Lists somebody's public keys.",
      effect: 'read',
      http: { method: 'GET', path: `/users/{username}/${path}` },
      input: z.looseObject({ username: z.string(), ...PAGE }),
      output: listOf('id'),
      example: { username: 'mona' },
      run(ctx, input) {
        const account = accountNamed(ctx, input.username);
        return paged(ctx, input, {
          items: keysOf(ctx, account.id, kind),
          path: `/user/${account.id}/${path}`,
          // Strangers see the bare key.
          show: (row) => (kind === 'ssh' ? { id: row.id, key: row.key } : keyView(row)),
        });
      },
    }),
    operation({
      id: `users/get-${noun}-for-authenticated-user`,
      summary: 'Reads one of the own public keys.',
      effect: 'read',
      http: { method: 'GET', path: `/user/${path}/{${parameter}}` },
      input: z.looseObject(one),
      output: shown('id'),
      example: { [parameter]: example } as never,
      run: (ctx, input) => keyView(keyAt(ctx, kind, input[parameter])),
    }),
    operation({
      id: `users/delete-${noun}-for-authenticated-user`,
      summary: 'Takes one of the own public keys away.',
      effect: 'write',
      http: { method: 'DELETE', path: `/user/${path}/{${parameter}}`, status: 204 },
      input: z.looseObject(one),
      output: nothing,
      example: { [parameter]: example } as never,
      run(ctx, input) {
        ctx.tx.user_keys.delete(keyAt(ctx, kind, input[parameter]).id);
        return null;
      },
    }),
  ];
}

/** A key without its comment, as GitHub keeps it. */
function bareKey(key: string): string {
  return key.trim().split(/\s+/u).slice(0, 2).join(' ');
}

function sshCreation(kind: 'ssh' | 'signing'): Operation {
  const { path, noun } = KINDS[kind];
  return operation({
    id: `users/create-${noun}-for-authenticated-user`,
    summary: kind === 'ssh' ? 'Adds a key to log in with.' : 'Adds a key to sign with.',
    effect: 'write',
    http: { method: 'POST', path: `/user/${path}`, status: 201 },
    input: z.looseObject({ title: z.string().optional(), key: z.string() }),
    output: shown('id', 'key', 'title'),
    example: { title: 'Workbench', key: 'ssh-ed25519 AAAAexampleofakey mona@workbench' },
    run(ctx, input) {
      const key = bareKey(input.key);
      if (key === '') {
        const message = 'key is invalid. You must supply a key in OpenSSH public key format';
        ctx.fail('validation_failed', {
          errors: [{ resource: 'PublicKey', code: 'custom', field: 'key', message }],
        });
      }
      for (const other of ctx.tx.user_keys.scan()) {
        if (other.kind !== kind || other.key !== key) continue;
        const message = 'key is already in use';
        ctx.fail('validation_failed', {
          errors: [{ resource: 'PublicKey', code: 'custom', field: 'key', message }],
        });
      }
      const row = ctx.tx.user_keys.insert({
        id: freshId(ctx, 'user_keys'),
        account_id: requireViewer(ctx).id,
        kind,
        title: input.title ?? '',
        key,
        verified: true,
        read_only: false,
        details: null,
        created_at: momentText(ctx.nowMs),
      });
      ctx.reply({ facts: { location: `${API}/user/${path}/${row.id}` } });
      return keyView(row);
    },
  });
}

const createGpgKey = operation({
  id: 'users/create-gpg-key-for-authenticated-user',
  summary: 'Adds a GPG key to sign with.',
  effect: 'write',
  http: { method: 'POST', path: '/user/gpg_keys', status: 201 },
  input: z.looseObject({ name: z.string().optional(), armored_public_key: z.string() }),
  output: shown('id', 'key_id'),
  example: {
    armored_public_key:
      '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmAYEAAAAAAE=\n-----END PGP PUBLIC KEY BLOCK-----\n',
  },
  run(ctx, input) {
    const created_at = momentText(ctx.nowMs);
    const id = freshId(ctx, 'user_keys');
    const details = readGpgKey(input.armored_public_key, {
      id,
      nextId: () => freshId(ctx, 'user_keys'),
      created_at,
    });
    if (!details) {
      const message = 'We got an error doing that.';
      return ctx.fail('validation_failed', {
        errors: [{ resource: 'GpgKey', code: 'custom', field: 'key', message }],
      });
    }
    const row = ctx.tx.user_keys.insert({
      id,
      account_id: requireViewer(ctx).id,
      kind: 'gpg',
      title: input.name ?? '',
      key: input.armored_public_key,
      verified: true,
      read_only: false,
      details,
      created_at,
    });
    return keyView(row);
  },
});

export const userKeyOperations: readonly Operation[] = [
  ...readingOperations('ssh'),
  sshCreation('ssh'),
  ...readingOperations('signing'),
  sshCreation('signing'),
  ...readingOperations('gpg'),
  createGpgKey,
];
