import { z } from 'zod';
import { operation } from '../operation.ts';
import { shown } from '../output.ts';
import { organizationNamed, viewerOf } from '../rules/viewer.ts';
import { privateOrganization, publicOrganization } from '../views/accounts.ts';

const getOrganization = operation({
  id: 'orgs/get',
  summary: 'Reads an organisation; its owners see its policies too.',
  effect: 'read',
  http: { method: 'GET', path: '/orgs/{org}' },
  input: z.looseObject({ org: z.string() }),
  output: shown('login', 'id', 'url'),
  example: { org: 'octo-works' },
  run(ctx, { org }) {
    const account = organizationNamed(ctx, org);
    const viewer = viewerOf(ctx);
    const role = viewer && ctx.tx.org_members.get([account.id, viewer.id])?.role;
    return role === 'admin' ? privateOrganization(account) : publicOrganization(account);
  },
});

export const organizationOperations = [getOrganization];
