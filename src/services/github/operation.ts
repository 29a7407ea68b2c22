import type { z } from 'zod';
import {
  type HttpBinding,
  type Json,
  type JsonObject,
  type Operation,
  type OperationContext,
  operationFor,
} from '../../service/index.ts';
import { type ErrorCode, errors, type GithubErrors } from './errors.ts';
import { requireUnarchived } from './rules/archived.ts';
import { withNews } from './rules/news.ts';
import { type GithubSchema, type Reader, schema, type Tables } from './schema.ts';

/** What every function of this service works with; `Writing` where it changes something. */
export type Reading = OperationContext<GithubSchema, GithubErrors, Reader>;
export type Writing = OperationContext<GithubSchema, GithubErrors, Tables>;

const declare = operationFor(schema, errors);
const ALL_ERRORS = (Object.keys(errors) as ErrorCode[]).filter((code) => !('reach' in errors[code]));

/**
 * Declares one operation. Any of them may give any of GitHub's errors, and each is had under the paths with
 * numbers too, in which `Link` headers and redirects speak.
 */
export function operation<
  Input extends z.ZodType,
  Output extends z.ZodType,
  Effect extends 'read' | 'write',
>(spec: {
  readonly id: string;
  readonly summary: string;
  readonly effect: Effect;
  /** Left out of what only tools call. */
  readonly http?: HttpBinding;
  readonly input: Input;
  readonly output: Output;
  readonly example: z.input<Input>;
  readonly unhashedInputs?: readonly string[];
  readonly issuedTokens?: readonly string[];
  readonly run: (ctx: Effect extends 'read' ? Reading : Writing, input: z.infer<Input>) => z.infer<Output>;
}): Operation {
  const { http: bare } = spec;
  const http = bare && { ...bare, aliases: [...(bare.aliases ?? []), ...numbered(bare.path)] };
  const run = spec.effect === 'write' ? telling(spec.id, spec.run as never) : spec.run;
  return declare({ ...spec, run, ...(http && { http }), errors: ALL_ERRORS } as Parameters<
    typeof declare
  >[0]);
}

type Run = (ctx: Writing, input: Json) => Json;

/** Nothing is done to what was archived; what is done is told to hooks. */
function telling(id: string, run: Run): Run {
  return (ctx, input) => {
    requireUnarchived(ctx, id, input);
    return withNews(ctx, { id, input }, () => run(ctx, input));
  };
}

/** The forms by number of a path; a name of `:id` is what no name can be. */
const NUMBERED: readonly {
  readonly start: string;
  readonly form: string;
  readonly values: Readonly<Record<string, string>>;
}[] = [
  {
    start: '/repos/{owner}/{repo}',
    form: '/repositories/{repository_id}',
    values: { owner: ':id', repo: '{repository_id}' },
  },
  {
    start: '/orgs/{org}/teams/{team_slug}',
    form: '/organizations/{organization_id}/team/{team_id}',
    values: { org: ':{organization_id}', team_slug: ':{team_id}' },
  },
  {
    start: '/orgs/{org}',
    form: '/organizations/{organization_id}',
    values: { org: ':{organization_id}' },
  },
  { start: '/users/{username}', form: '/user/{account_id}', values: { username: ':{account_id}' } },
];

function numbered(path: string): NonNullable<HttpBinding['aliases']> {
  // `/user/7` itself is an operation of its own.
  if (path === '/users/{username}') return [];
  return NUMBERED.filter(({ start }) => path === start || path.startsWith(`${start}/`))
    .slice(0, 1)
    .map(({ start, form, values }) => {
      // The path's other parameters keep their names.
      const rest = path.slice(start.length);
      const kept = [...rest.matchAll(/\{(\w+)\*?\}/gu)].map(([, name = '']) => [name, `{${name}}`]);
      return { path: `${form}${rest}`, values: { ...(Object.fromEntries(kept) as JsonObject), ...values } };
    }) as NonNullable<HttpBinding['aliases']>;
}
