import { nearestName } from '../base/errors.ts';
import { EFFECTS, type FaultEffect } from './effects.ts';
import { testProblem } from './predicates.ts';
import { twinNameOf } from './tools.ts';
import type { FaultPlan, FaultRule } from './types.ts';

/** What a plan can speak of. */
export interface PlanScope {
  readonly tools: ReadonlyMap<string, ToolScope>;
  /** By id; of an operation of any service. */
  readonly operations: ReadonlyMap<string, 'read' | 'write'>;
  /** The columns of a table, `service.table`; null where there is no such table. */
  columnsOf(table: string): readonly string[] | null;
  readonly tableNames: readonly string[];
  /** The tool under whose name an operation's calls are recorded; undefined where it is its own. */
  recordedAs?(operation: string): string | undefined;
  /** The most calls that an episode may make, where it is bounded. */
  readonly callsMost?: number | undefined;
}

export interface ToolScope {
  readonly effect: 'read' | 'write';
  readonly operations: readonly string[];
  /** The names of its arguments; null where its schema does not list them. */
  readonly parameters: readonly string[] | null;
}

/** What is wrong with a plan, and where: `path` leads into it. */
export interface PlanProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  readonly hint?: string;
}

/** Everything about a plan that could never happen as it is written. Empty for a plan that is right. */
export function planProblems(plan: FaultPlan, scope: PlanScope): readonly PlanProblem[] {
  const problems: PlanProblem[] = [];
  const earlier = new EarlierRules();
  plan.rules.forEach((rule, index) => {
    const at = (...rest: (string | number)[]): (string | number)[] => ['rules', index, ...rest];
    const say = (path: readonly (string | number)[], message: string, hint?: string): void => {
      problems.push({ path: at(...path), message, ...(hint !== undefined && { hint }) });
    };
    checkMatch(rule, scope, say);
    checkEffect(rule, scope, say);
    checkOthers(rule, earlier, say);
    earlier.add(rule);
  });
  return problems;
}

type Say = (path: readonly (string | number)[], message: string, hint?: string) => void;

function checkMatch({ match, effect }: FaultRule, scope: PlanScope, say: Say): void {
  const { step, tool, operation, occurrence, input, state, clockMs } = match;
  const twins = effect.kind === 'tool-twin' ? [twinNameOf(effect)] : [];
  if (tool !== undefined && !scope.tools.has(tool) && !scope.operations.has(tool) && !twins.includes(tool)) {
    say(['match', 'tool'], `there is no tool named ${tool}`, near(tool, scope.tools.keys()));
  }
  const recorded = tool === undefined || scope.tools.has(tool) ? undefined : scope.recordedAs?.(tool);
  if (recorded !== undefined) {
    say(['match', 'tool'], `calls of ${tool} are those of the tool ${recorded}`, `operation: ${tool}`);
  }
  if (operation !== undefined && !scope.operations.has(operation)) {
    const hint = near(operation, scope.operations.keys());
    say(['match', 'operation'], `there is no operation named ${operation}`, hint);
  }
  const runs = tool === undefined ? undefined : scope.tools.get(tool)?.operations;
  if (operation !== undefined && runs && scope.operations.has(operation) && !runs.includes(operation)) {
    say(['match', 'operation'], `${tool} never runs ${operation}`, `it runs ${runs.join(', ')}`);
  }
  const takes = tool === undefined ? null : (scope.tools.get(tool)?.parameters ?? null);
  for (const path of takes ? Object.keys(input ?? {}) : []) {
    const [first = ''] = path.split('.');
    if (takes?.includes(first)) continue;
    say(['match', 'input', path], `${tool} has no argument named ${first}`, near(first, takes ?? []));
  }
  if (step !== undefined && scope.callsMost !== undefined && step >= scope.callsMost) {
    const last = scope.callsMost - 1;
    say(['match', 'step'], `there is no step ${step}: the last call is step ${last}`, 'steps count from 0');
  }
  if (step !== undefined && occurrence !== undefined && occurrence > 1) {
    say(['match', 'occurrence'], `one step is one call: it has no occurrence ${occurrence}`);
  }
  if (clockMs?.to !== undefined && clockMs.to <= (clockMs.from ?? 0)) {
    say(['match', 'clockMs'], `the window ends at ${clockMs.to} ms, before it begins`);
  }
  if (state) checkColumns(state.table, [...Object.keys(state.where)], { scope, say, at: ['match', 'state'] });
  checkTests(input ?? {}, ['match', 'input'], say);
  checkTests(state?.where ?? {}, ['match', 'state', 'where'], say);
}

/** A test that no value can pass is a rule that never strikes. */
function checkTests(tests: NonNullable<FaultRule['match']['input']>, at: readonly string[], say: Say): void {
  for (const [path, test] of Object.entries(tests)) {
    const problem = testProblem(test);
    if (problem) say([...at, path, problem.member], problem.message, problem.hint);
  }
}

function checkColumns(
  table: string,
  columns: readonly string[],
  {
    scope,
    say,
    at,
    member = 'where',
  }: { scope: PlanScope; say: Say; at: readonly string[]; member?: string },
): void {
  const known = scope.columnsOf(table);
  if (!known) {
    say([...at, 'table'], `there is no table named ${table}`, near(table, scope.tableNames));
    return;
  }
  for (const column of columns) {
    const [first = ''] = column.split('.');
    if (known.includes(first)) continue;
    say([...at, member, column], `${table} has no column named ${first}`, near(first, known));
  }
}

function checkEffect({ match, effect }: FaultRule, scope: PlanScope, say: Say): void {
  const { on } = EFFECTS[effect.kind].facts;
  const target =
    match.tool === undefined
      ? match.operation === undefined
        ? undefined
        : scope.operations.get(match.operation)
      : (scope.tools.get(match.tool)?.effect ?? scope.operations.get(match.tool));
  if (on !== 'any' && target !== undefined && target !== on) {
    say(
      ['effect', 'kind'],
      `${effect.kind} strikes ${on}s, and ${match.tool ?? match.operation} is a ${target}`,
    );
  }
  if ('tool' in effect && !scope.tools.has(effect.tool)) {
    say(['effect', 'tool'], `there is no tool named ${effect.tool}`, near(effect.tool, scope.tools.keys()));
  }
  checkArgument(effect, scope, say);
  for (const [path, message] of contradictions(effect, match.step)) say(['effect', ...path], message);
  if (effect.kind === 'concurrent-write') {
    const at = ['effect'];
    checkColumns(effect.table, Object.keys(effect.where), { scope, say, at });
    checkTests(effect.where, ['effect', 'where'], say);
    if (scope.columnsOf(effect.table)) {
      checkColumns(effect.table, Object.keys(effect.set ?? {}), { scope, say, at, member: 'set' });
    }
  }
  if (effect.kind === 'auth-expired' && effect.until !== undefined && !scope.tools.has(effect.until)) {
    say(
      ['effect', 'until'],
      `there is no tool named ${effect.until}`,
      near(effect.until, scope.tools.keys()),
    );
  }
  if (effect.kind === 'side-effect-lost') {
    for (const [index, table] of (effect.tables ?? []).entries()) {
      if (!scope.columnsOf(table)) {
        say(['effect', 'tables', index], `there is no table named ${table}`, near(table, scope.tableNames));
      }
    }
  }
  if (effect.kind === 'tool-twin' && scope.tools.has(twinNameOf(effect))) {
    say(['effect', 'name'], `there is a tool named ${twinNameOf(effect)} already`);
  }
}

/** A further argument has a name of its own; one without a type is one that there is. */
function checkArgument(effect: FaultEffect, scope: PlanScope, say: Say): void {
  if (effect.kind !== 'parameter-required' && effect.kind !== 'parameter-untyped') return;
  const known = scope.tools.get(effect.tool)?.parameters ?? null;
  if (known === null) return;
  const { name, tool } = effect;
  if (effect.kind === 'parameter-required' && known.includes(name)) {
    say(['effect', 'name'], `${tool} has an argument named ${name} already`);
  }
  if (effect.kind === 'parameter-untyped' && !known.includes(name)) {
    say(['effect', 'name'], `${tool} has no argument named ${name}`, near(name, known));
  }
}

/** Parameters of one effect that cannot all be meant. */
function contradictions(effect: FaultEffect, step: number | undefined): [string[], string][] {
  switch (effect.kind) {
    case 'reject':
      if (effect.holds && effect.retryAfterSeconds === undefined)
        return [[['holds'], 'it holds for retryAfterSeconds, which is left out']];
      if (effect.reason === 'maintenance' && effect.status !== 503)
        return [[['reason'], `maintenance is answered with 503, not with ${effect.status}`]];
      return (effect.reason === 'quota' || effect.reason === 'rate-limit') && effect.status !== 429
        ? [[['reason'], `${effect.reason} is answered with 429, not with ${effect.status}`]]
        : [];
    case 'concurrent-write':
      return (effect.set === undefined) === (effect.remove === undefined)
        ? [[['set'], 'it either sets columns or removes the row']]
        : [];
    case 'unit-wrong':
      if (effect.factor !== undefined && effect.hours !== undefined)
        return [[['hours'], 'a value is off by a factor or by hours, not by both']];
      return effect.factor === 1 || effect.hours === 0 ? [[['factor'], 'this changes nothing']] : [];
    case 'total-wrong':
      return effect.by === 0 ? [[['by'], 'this changes nothing']] : [];
    case 'read-stale':
      return step !== undefined && effect.ofStep !== undefined && effect.ofStep >= step
        ? [
            [
              ['ofStep'],
              `step ${step} cannot show the world before step ${effect.ofStep}, which is not earlier`,
            ],
          ]
        : [];
    default:
      return [];
  }
}

/** The rules that stand before one in its plan, by what no two of them may share. */
class EarlierRules {
  readonly ids = new Set<string>();
  readonly twins = new Map<string, string>();
  readonly steps = new Map<string, string>();

  add({ id, match, effect }: FaultRule): void {
    this.ids.add(id);
    if (effect.kind === 'tool-twin') this.twins.set(twinNameOf(effect), id);
    if (strikesOneStep({ match, effect })) this.steps.set(JSON.stringify(match), id);
  }
}

function strikesOneStep({ match, effect }: Pick<FaultRule, 'match' | 'effect'>): boolean {
  return match.step !== undefined && !EFFECTS[effect.kind].facts.standing;
}

function checkOthers({ id, match, effect }: FaultRule, earlier: EarlierRules, say: Say): void {
  if (earlier.ids.has(id)) say(['id'], `there is a fault rule named ${id} already`);
  const name = effect.kind === 'tool-twin' ? twinNameOf(effect) : null;
  const namesake = name === null ? undefined : earlier.twins.get(name);
  if (namesake !== undefined) say(['effect', 'name'], `${namesake} makes a tool named ${name} already`);
  const rival = strikesOneStep({ match, effect }) ? earlier.steps.get(JSON.stringify(match)) : undefined;
  if (rival !== undefined) {
    const message = `step ${match.step} is struck by ${rival} already: only one of them can strike it`;
    say(['match', 'step'], message, 'give one of them another step, or a test that the other does not have');
  }
}

function near(name: string, known: Iterable<string>): string | undefined {
  const all = [...known];
  const nearest = nearestName(name, all);
  return nearest === undefined
    ? `known are ${all.slice(0, 20).join(', ') || 'none'}`
    : `did you mean ${nearest}?`;
}
