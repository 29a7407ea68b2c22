import { z } from 'zod';
import { nearestName, UsageError } from '../base/errors.ts';
import { isJsonObject } from '../base/json.ts';
import { type FaultPlan, planProblems } from '../faults/index.ts';
import { type PlaceOf, placed, type ScenarioFile } from '../scenarios/index.ts';
import { scopeOf, toolboxOf } from '../session/index.ts';
import { openScriptedUser, type UserScript } from '../users/index.ts';
import { faultOfTest } from './scenario-names-tests.ts';
import type { SeededWorld } from './worlds.ts';

type Path = readonly PropertyKey[];

/**
 * Checks every name in a scenario file that only its world can tell: tools and their arguments, tables and
 * their columns, bindings, and patterns. A rule about a name that does not exist could never be broken.
 * @throws UsageError with the place of the first wrong name, and the nearest right one.
 */
export function checkNames(
  { file, place }: { readonly file: ScenarioFile; readonly place: PlaceOf },
  setting: SeededWorld,
): void {
  const names = new NameCheck(place, setting);
  checkCalls(file, names);
  checkInvariants(file, names);
  checkRows(file, names);
  checkBindings(file, names);
  checkUser(file, names);
  names.plan(file);
}

function checkCalls(
  { reference, tools, freeText, graders, alternatives }: ScenarioFile,
  names: NameCheck,
): void {
  const offered = tools === 'all' ? names.offered : tools;
  if (tools !== 'all') for (const [index, tool] of tools.entries()) names.tool(tool, ['tools', index]);
  if ('calls' in reference) {
    for (const [index, { tool, fails }] of reference.calls.entries()) {
      const path: Path = ['reference', 'calls', index];
      names.oneOf(tool, offered, { what: 'tool on offer', path: [...path, 'tool'] });
      if (fails !== undefined) names.error(fails, [...path, 'fails']);
    }
  }
  for (const [tool, list] of Object.entries(freeText ?? {})) {
    names.tool(tool, ['freeText', tool]);
    for (const [index, argument] of list.entries()) names.argument(tool, argument, ['freeText', tool, index]);
  }
  for (const [index, { tool, instead }] of (alternatives ?? []).entries()) {
    names.tool(tool, ['alternatives', index, 'tool']);
    names.pattern(instead, ['alternatives', index, 'instead']);
  }
  for (const [index, { calls, check }] of graders.entries()) {
    for (const [at, pattern] of (calls ?? []).entries()) {
      names.pattern(pattern, ['graders', index, 'calls', at]);
    }
    for (const [at, text] of (check?.matches ?? []).entries()) {
      names.expression(text, ['graders', index, 'check', 'matches', at]);
    }
  }
}

function checkInvariants({ invariants }: ScenarioFile, names: NameCheck): void {
  for (const [index, rule] of invariants.entries()) {
    const path: Path = ['invariants', index];
    switch (rule.kind) {
      case 'ordering':
        names.pattern(rule.first, [...path, 'first']);
        names.pattern(rule.then, [...path, 'then']);
        for (const { tool } of rule.each === undefined ? [] : [rule.first, rule.then]) {
          names.argument(tool, rule.each ?? '', [...path, 'each']);
        }
        break;
      case 'arguments':
        names.pattern({ tool: rule.tool, where: rule.require }, path, 'require');
        break;
      case 'prohibition':
        names.pattern(rule, path);
        break;
      case 'cardinality':
        names.pattern(rule, path);
        if (rule.each !== undefined) names.argument(rule.tool, rule.each, [...path, 'each']);
        break;
      case 'grounding':
        names.expression(rule.match, [...path, 'match']);
        break;
      case 'state':
        names.table(rule.always.table, [...path, 'always', 'table']);
        names.rows(rule.always.table, rule.always.where, [...path, 'always', 'where']);
        names.rows(rule.always.table, rule.always.check, [...path, 'always', 'check']);
        break;
      default:
    }
  }
}

function checkRows({ contract, milestones }: ScenarioFile, names: NameCheck): void {
  for (const [index, allowed] of contract.allow.entries()) {
    const path: Path = ['contract', 'allow', index];
    names.table(allowed.table, [...path, 'table']);
    names.rows(allowed.table, allowed.where, [...path, 'where']);
    for (const [at, column] of (allowed.columns ?? []).entries()) {
      names.column(allowed.table, column, [...path, 'columns', at]);
    }
  }
  for (const [index, mask] of contract.mask.entries()) {
    const dot = mask.lastIndexOf('.');
    const path: Path = ['contract', 'mask', index];
    names.table(mask.slice(0, dot), path);
    names.column(mask.slice(0, dot), mask.slice(dot + 1), path);
  }
  for (const [index, change] of (contract.expect ?? []).entries()) {
    checkChange(change, names, ['contract', 'expect', index]);
  }
  for (const [index, { expect }] of milestones.entries()) {
    for (const [at, change] of expect.entries()) {
      checkChange(change, names, ['milestones', index, 'expect', at]);
    }
  }
}

type Change = NonNullable<ScenarioFile['contract']['expect']>[number];

function checkChange(change: Change, names: NameCheck, path: Path): void {
  names.table(change.table, [...path, 'table']);
  const [member, columns] = change.op === 'update' ? ['cells', change.cells] : ['row', change.row];
  for (const column of Object.keys(columns)) {
    names.column(change.table, column, [...path, String(member), column]);
  }
}

function checkBindings({ bindings = {} }: ScenarioFile, names: NameCheck): void {
  const earlier = new Map<string, string>();
  for (const [name, binding] of Object.entries(bindings)) {
    const path: Path = ['bindings', name];
    names.table(binding.from, [...path, 'from']);
    names.rows(binding.from, binding.where, [...path, 'where']);
    for (const [column, target] of Object.entries(binding.match ?? {})) {
      names.column(binding.from, column, [...path, 'match', column]);
      const [other = '', theirs = ''] = target.split('.');
      const here: Path = [...path, 'match', column];
      names.oneOf(other, [...earlier.keys()], { what: 'binding before', path: here });
      names.column(earlier.get(other) ?? '', theirs, here);
    }
    for (const [index, other] of (binding.distinctFrom ?? []).entries()) {
      const here: Path = [...path, 'distinctFrom', index];
      names.oneOf(other, [...earlier.keys()], { what: 'binding before', path: here });
    }
    earlier.set(name, binding.from);
  }
}

function checkUser({ user }: ScenarioFile, names: NameCheck): void {
  if (!user) return;
  names.placed(['user'], () => openScriptedUser(user as UserScript));
  for (const [state, transitions] of Object.entries(user.states)) {
    for (const [index, { when }] of transitions.entries()) {
      const path: Path = ['user', 'states', state, index, 'when', 'state'];
      if (!when?.state) continue;
      names.table(when.state.table, [...path, 'table']);
      names.rows(when.state.table, when.state.where, [...path, 'where']);
    }
  }
}

class NameCheck {
  readonly tools: readonly string[];
  /** Those on offer where a scenario names none. */
  readonly offered: readonly string[];
  readonly #place: PlaceOf;
  readonly #setting: SeededWorld;

  constructor(place: PlaceOf, setting: SeededWorld) {
    this.#place = place;
    this.#setting = setting;
    const { tools, toolNames } = toolboxOf(setting.services);
    this.tools = tools.map(({ tool }) => tool.name);
    this.offered = [...toolNames];
  }

  /** A name that a template fills in is looked at when it is filled in, and not here. */
  oneOf(name: string, known: readonly string[], { what, path }: { what: string; path: Path }): void {
    if (known.includes(name) || name.includes('{{')) return;
    const near = nearestName(name, known);
    const hint = near ? `did you mean ${near}?` : `known are ${known.join(', ') || 'none'}`;
    this.#refuse(path, `there is no ${what} named ${name}`, { code: 'unknown-name', hint });
  }

  #refuse(path: Path, message: string, { code, hint }: { code: string; hint?: string }): never {
    throw new UsageError(code, `${path.map(String).join('.')}: ${message}`, {
      place: this.#place(path),
      ...(hint !== undefined && { hint }),
    });
  }

  /** A fault plan that could never happen as it is written. */
  plan({ faults, budgets }: ScenarioFile): void {
    if (!faults) return;
    const [first] = planProblems(faults as FaultPlan, scopeOf(this.#setting.services, { budgets }));
    if (!first) return;
    const { path, message, hint } = first;
    this.#refuse(['faults', ...path], message, {
      code: 'bad-fault-plan',
      ...(hint !== undefined && { hint }),
    });
  }

  tool(name: string, path: Path): void {
    this.oneOf(name, this.tools, { what: 'tool', path });
  }

  /** An argument of a tool, or a dotted path into one. */
  argument(tool: string, name: string, path: Path): void {
    const { tools } = toolboxOf(this.#setting.services);
    const input = tools.find((candidate) => candidate.tool.name === tool)?.tool.input;
    if (!(input instanceof z.ZodObject)) return;
    this.oneOf(firstPart(name), Object.keys(input.shape), { what: `argument of ${tool}`, path });
  }

  pattern(
    pattern: { readonly tool: string; readonly where?: Tests | undefined },
    path: Path,
    member = 'where',
  ) {
    this.tool(pattern.tool, [...path, 'tool']);
    for (const [name, test] of Object.entries(pattern.where ?? {})) {
      this.argument(pattern.tool, name, [...path, member, name]);
      this.test(test, [...path, member, name]);
    }
  }

  /** An error that a service of the world can answer with. */
  error(code: string, path: Path): void {
    const known = this.#setting.services.flatMap(({ errors }) => Object.keys(errors));
    this.oneOf(code, known, { what: 'error', path });
  }

  table(name: string, path: Path): void {
    const { tableNames } = this.#setting.world;
    // Where a name says no service, the nearest one need not either.
    const known = name.includes('.') ? tableNames : tableNames.map((full) => full.split('.').at(-1) ?? full);
    if (!tableNames.includes(name)) this.oneOf(name, known, { what: 'table', path });
  }

  column(table: string, name: string, path: Path): void {
    if (!this.#setting.world.tableNames.includes(table)) return;
    const columns = Object.keys(this.#setting.world.spec(table).columns);
    this.oneOf(firstPart(name), columns, { what: `column of ${table}`, path });
  }

  /** Tests of rows by column. */
  rows(table: string, tests: Tests | undefined, path: Path): void {
    for (const [name, test] of Object.entries(tests ?? {})) {
      this.column(table, name, [...path, name]);
      this.test(test, [...path, name]);
    }
  }

  test(test: unknown, path: Path): void {
    const fault = faultOfTest(test);
    if (fault) {
      const here: Path = [...path, fault.member];
      if (fault.known.length > 0) this.oneOf(fault.member, fault.known, { what: 'test', path: here });
      this.#refuse(here, fault.message, { code: 'test' });
    }
    if (isJsonObject(test) && typeof test.matches === 'string') {
      this.expression(test.matches, [...path, 'matches']);
    }
  }

  /** A pattern that is no regular expression matches nothing, so a rule with it says nothing. */
  expression(text: string, path: Path): void {
    try {
      new RegExp(text, 'u');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#refuse(path, reason, { code: 'pattern' });
    }
  }

  /** Runs a check of another part of the program; its error gets the place of this path. */
  placed(path: Path, run: () => unknown): void {
    placed(this.#place, path, run);
  }
}

type Tests = Readonly<Record<string, unknown>>;

function firstPart(name: string): string {
  return name.split('.')[0] ?? name;
}
