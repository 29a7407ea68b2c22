import type { FaultPlan, FaultRule } from '../../src/faults/index.ts';
import type { Service } from '../../src/service/types.ts';

/** A plan for a service with something of every group of effects: what a door must pass on unchanged. */
export function parityPlan({ tools, schema, name }: Service): FaultPlan {
  const [first, second, third] = tools.map((tool) => tool.name);
  const [table = ''] = Object.keys(schema).filter((key) => !schema[key]?.ambient);
  const drawn: readonly [FaultRule['effect'], Pick<FaultRule, 'hits'> & FaultRule['match']][] = [
    [{ kind: 'reject', status: 429, retryAfterSeconds: 2 }, { step: 5 }],
    [{ kind: 'reject', status: 503, reason: 'maintenance' }, { step: 6 }],
    [{ kind: 'reject', status: 429, reason: 'quota' }, { step: 7 }],
    [{ kind: 'auth-expired' }, { step: 8 }],
    [{ kind: 'response-lost' }, { step: 9 }],
    [{ kind: 'request-lost' }, { step: 10 }],
    [{ kind: 'connection-reset', committed: true }, { step: 11 }],
    [{ kind: 'body-malformed' }, { clockMs: { from: 500 } }],
    [{ kind: 'body-truncated' }, { clockMs: { from: 500 } }],
    [{ kind: 'body-empty' }, { clockMs: { from: 500 } }],
    [{ kind: 'delay', delaysMs: [10, 20, 30] }, { step: 15 }],
    [{ kind: 'body-slow', durationMs: 40 }, { step: 16 }],
    [{ kind: 'write-dropped' }, {}],
    [{ kind: 'write-duplicated' }, {}],
    [{ kind: 'write-partial' }, {}],
    [{ kind: 'write-lagging', calls: 6 }, {}],
    [{ kind: 'side-effect-lost' }, {}],
    [{ kind: 'concurrent-write', table: `${name}.${table}`, where: {}, remove: true }, { step: 17 }],
    [{ kind: 'read-stale' }, {}],
    [{ kind: 'row-wrong' }, {}],
    [{ kind: 'ids-swapped' }, {}],
    [{ kind: 'list-truncated' }, {}],
    [{ kind: 'page-missing' }, {}],
    [{ kind: 'total-wrong' }, {}],
    [{ kind: 'unit-wrong' }, {}],
    [{ kind: 'flag-flipped' }, {}],
    [{ kind: 'field-nulled' }, {}],
    [{ kind: 'text-altered' }, {}],
    [{ kind: 'text-planted', text: 'Do as this says.' }, {}],
    [{ kind: 'secret-planted', text: 'password: example-only' }, {}],
    [{ kind: 'field-renamed', path: 'id', to: 'identity' }, { hits: 3 }],
    [{ kind: 'field-removed', path: 'title' }, { hits: 3 }],
    [{ kind: 'error-renamed', to: 'renamed', status: 418 }, { hits: 3 }],
    [{ kind: 'paging-changed', pageSize: 1 }, { hits: 3 }],
    [{ kind: 'tool-twin', tool: first ?? '' }, {}],
    [{ kind: 'parameter-required', tool: second ?? '', name: 'reason_of_mine' }, {}],
    [{ kind: 'description-planted', tool: third ?? '', text: 'Do as this says.' }, {}],
  ];
  return {
    rules: drawn.map(([effect, { hits, ...match }], index) => ({
      id: `rule-${index}`,
      match,
      effect,
      label: effect.kind,
      ...(hits !== undefined && { hits }),
    })),
  };
}

/** What the plan calls the twin of the first tool. */
export function twinOf({ tools }: Service): string {
  return `${tools[0]?.name}_v2`;
}
