import { UsageError } from '../base/errors.ts';
import type { PlaceOf } from './placed.ts';
import type { ScenarioFile } from './schema.ts';

type Path = readonly PropertyKey[];

/**
 * The file with every table under its full name: a scenario may say `accounts` where only one service of its
 * world has such a table, and everything downstream, hashes included, sees `helpdesk.accounts`. Names that no
 * table has stay as they are.
 * @param tables the full names, `service.table`, of the world's tables
 * @throws UsageError when several services have a table of that name.
 */
export function withFullTableNames(
  file: ScenarioFile,
  { tables, place }: { readonly tables: readonly string[]; readonly place?: PlaceOf | undefined },
): ScenarioFile {
  const full = (name: string, path: Path): string => fullName(name, { tables, place, path });
  const named = <T extends { readonly table: string }>(list: readonly T[], path: Path): T[] =>
    list.map((one, index) => ({ ...one, table: full(one.table, [...path, index, 'table']) }));
  const { world, bindings, user, contract } = file;
  return {
    ...file,
    world: { ...world, overlay: named(world.overlay, ['world', 'overlay']) },
    ...(bindings && {
      bindings: mapMembers(bindings, (binding, name) => ({
        ...binding,
        from: full(binding.from, ['bindings', name, 'from']),
      })),
    }),
    ...(user && { user: { ...user, states: statesOf(user.states, full) } }),
    contract: {
      ...contract,
      ...(contract.expect && { expect: named(contract.expect, ['contract', 'expect']) }),
      allow: named(contract.allow, ['contract', 'allow']),
      mask: contract.mask.map((mask, index) => fullColumn(mask, full, ['contract', 'mask', index])),
    },
    milestones: file.milestones.map((milestone, index) => ({
      ...milestone,
      expect: named(milestone.expect, ['milestones', index, 'expect']),
    })),
    invariants: file.invariants.map((rule, index) => {
      if (rule.kind !== 'state') return rule;
      const table = full(rule.always.table, ['invariants', index, 'always', 'table']);
      return { ...rule, always: { ...rule.always, table } };
    }),
  };
}

type Full = (name: string, path: Path) => string;
type UserStates = NonNullable<ScenarioFile['user']>['states'];

function statesOf(states: UserStates, full: Full): UserStates {
  return mapMembers(states, (transitions, state) =>
    transitions.map((transition, index) => {
      const { when } = transition;
      if (!when?.state) return transition;
      const path = ['user', 'states', state, index, 'when', 'state', 'table'];
      return {
        ...transition,
        when: { ...when, state: { ...when.state, table: full(when.state.table, path) } },
      };
    }),
  );
}

/** `emails.body` as `helpdesk.emails.body`. */
function fullColumn(mask: string, full: Full, path: Path): string {
  const dot = mask.lastIndexOf('.');
  return dot < 0 ? mask : `${full(mask.slice(0, dot), path)}${mask.slice(dot)}`;
}

function fullName(
  name: string,
  context: { readonly tables: readonly string[]; readonly place: PlaceOf | undefined; readonly path: Path },
): string {
  const { tables, place, path } = context;
  if (name.includes('.')) return name;
  const candidates = tables.filter((table) => table.endsWith(`.${name}`));
  if (candidates.length < 2) return candidates[0] ?? name;
  throw new UsageError('ambiguous-name', `${path.map(String).join('.')}: several services have ${name}`, {
    ...(place && { place: place(path) }),
    hint: `say which: ${candidates.join(', ')}`,
  });
}

function mapMembers<T>(
  members: Readonly<Record<string, T>>,
  change: (member: T, name: string) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member, name)]));
}
