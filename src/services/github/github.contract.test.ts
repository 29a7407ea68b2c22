import { describe, it } from 'vitest';
import { z } from 'zod';
import { isJsonObject, type Json } from '../../service/index.ts';
import { seedWorld } from '../../service/seed.ts';
import { openSession } from '../../session/index.ts';
import {
  type ConformanceOptions,
  describeConformance,
  type Listing,
  type Script,
  type ScriptCall,
} from '../../testing/index.ts';
import { github, probes } from './index.ts';
import { ANONYMOUS } from './protocol.ts';

const world = seedWorld([{ service: github, seed: 'small' }]);

/** Numbered pages, all of one kind: an operation's example shows where its items are. */
function listings(): Listing[] {
  return github.operations.flatMap((operation) => {
    if (operation.effect !== 'read') return [];
    const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
    if (!('page' in properties) || !('per_page' in properties)) return [];
    const session = openSession({
      services: [github],
      world,
      seeds: { github: 'small' },
      streamSeed: operation.id,
      epochMs: github.epochMs,
      behaviour: { engine: '', services: {} },
    });
    const items = placeOfItems(session.call({ tool: operation.id, input: operation.example }).body);
    const listing = { operation: operation.id, input: operation.example, items: items.path };
    const few = items.count < 2 ? { few: 'all lists are cut by one rule' } : {};
    return [{ ...listing, ...few, limit: 'per_page', cursor: 'page' }];
  });
}

/** Deliveries are paged by a cursor in a header, which a test of their own follows. */
const DELIVERIES: readonly Listing[] = [
  {
    operation: 'repos/list-webhook-deliveries',
    input: { owner: 'octo-works', repo: 'lamp', hook_id: 550_000_001 },
  },
  { operation: 'orgs/list-webhook-deliveries', input: { org: 'octo-works', hook_id: 550_000_002 } },
  { operation: 'apps/list-webhook-deliveries', input: {} },
].map((listing) => ({
  ...listing,
  items: '',
  limit: 'per_page',
  cursor: 'cursor',
  next: 'next',
  few: 'one ping each',
}));

/** A list is the whole body, or one of its members; of a commit that of its files. */
function placeOfItems(body: Json): { readonly path: string; readonly count: number } {
  if (Array.isArray(body)) return { path: '', count: body.length };
  const members = isJsonObject(body) ? Object.entries(body) : [];
  const lists = members.filter(([, value]) => Array.isArray(value));
  const [path, items] = lists.find(([name]) => name === 'files') ?? lists[0] ?? ['no list', []];
  return { path, count: (items as readonly Json[]).length };
}

const lamp = { owner: 'octo-works', repo: 'lamp' };
const own = { owner: 'mona', repo: 'bench' };

function file(path: string, branch: string): ScriptCall {
  const input = { ...lamp, path, branch, message: `Add ${path}`, content: 'T25lIGxpbmUuCg==' };
  return { tool: 'repos/create-or-update-file-contents', input };
}

const unwatched = { tool: 'issues/get', input: { ...lamp, issue_number: 1 }, actor: ANONYMOUS.id };

const scripts: readonly Script[] = [
  {
    title: 'what hangs on commits of the same run',
    calls: [
      file('notes.md', 'night'),
      {
        tool: 'pulls/create-review',
        input: {
          ...lamp,
          pull_number: 6,
          event: 'COMMENT',
          body: 'Well put.',
          comments: [{ path: 'notes.md', line: 1, side: 'RIGHT', body: 'Short.' }],
        },
      },
      {
        tool: 'actions/create-workflow-dispatch',
        input: { ...lamp, workflow_id: 'release.yml', ref: 'night' },
      },
      file('more.md', 'dimmer'),
      { tool: 'pulls/create', input: { ...lamp, title: 'Nights', head: 'night', base: 'dimmer' } },
    ],
  },
  {
    title: 'what hangs on a repository of the same run',
    calls: [
      { tool: 'repos/create-for-authenticated-user', input: { name: own.repo } },
      {
        tool: 'actions/create-or-update-repo-secret',
        input: { ...own, secret_name: 'KEY', encrypted_value: 'c2VhbGVk', key_id: '1' },
      },
      { tool: 'actions/create-repo-variable', input: { ...own, name: 'COLOUR', value: 'red' } },
    ],
  },
  {
    title: 'nobody in particular',
    calls: [
      { tool: 'issues/create', input: { ...lamp, title: 'Hums' }, actor: ANONYMOUS.id },
      ...Array.from({ length: 61 }, () => unwatched),
    ],
  },
  { title: 'no name', calls: [{ tool: 'meta/root', input: {}, headers: { 'user-agent': '' } }] },
  {
    title: 'in a hurry',
    calls: Array.from({ length: 81 }, (_, index) => ({
      tool: 'issues/create',
      input: { ...lamp, title: `Hums ${index}` },
    })),
  },
  {
    title: 'without issues, and under another name',
    calls: [
      { tool: 'repos/update', input: { ...lamp, has_issues: false } },
      { tool: 'issues/create', input: { ...lamp, title: 'Hums' } },
      { tool: 'repos/update', input: { ...lamp, name: 'lantern' } },
      { tool: 'repos/get', input: lamp },
    ],
  },
  {
    title: 'a change of the graph that is not made',
    calls: [
      {
        tool: 'graphql',
        input: { query: 'mutation { closeIssue(input: {issueId: "none"}) { issue { id } } }' },
      },
    ],
  },
];

const options: ConformanceOptions = {
  probes,
  scripts,
  actors: [{ id: 'mona' }, ANONYMOUS],
  listings: [...listings(), ...DELIVERIES],
};

describeConformance(github, options, { describe, it });
