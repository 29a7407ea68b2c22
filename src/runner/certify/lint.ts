import { basename } from 'node:path';
import type { SourcePlace } from '../../base/errors.ts';
import { InvariantError, UsageError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { lockDifferences, type PlaceOf, type Scenario } from '../../scenarios/index.ts';
import {
  type Contract,
  checkContract,
  netDiff,
  type TrialScore,
  vacuousGraders,
} from '../../scoring/index.ts';
import { openSession, replayTrajectory, type Session, toolboxOf } from '../../session/index.ts';
import type { LoadedBank } from '../bank.ts';
import { failedReferenceCall, optionsFor, type PreparedScenario, ReferenceResultError } from '../prepare.ts';
import { currentLock } from './lock.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { PROOF_SEED, ReferencePlay } from './play.ts';

/** Something that keeps a scenario from being certified. */
export interface LintProblem {
  readonly scenario: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `form`: the file is no scenario that could be run. */
  readonly rule:
    | 'form'
    | 'reference'
    | 'vacuous'
    | 'do-nothing'
    | 'stall'
    | 'mutants'
    | 'replay'
    | 'lock'
    | 'broken';
  readonly message: string;
}

/** A mutant that no grader noticed. `equivalent` when its masked end state is the reference's own. */
export interface Survivor {
  readonly scenario: string;
  readonly mutant: string;
  readonly equivalent: boolean;
}

export interface ScenarioLint {
  /** Its id; the name of the file where the file is no scenario. */
  readonly scenario: string;
  /** Only for families: the proof is of this one instance, the default one unless variants were loaded. */
  readonly family?: true;
  readonly certified: boolean;
  readonly mutants: number;
  readonly killed: number;
  readonly equivalent: number;
  readonly problems: readonly LintProblem[];
  readonly survivors: readonly Survivor[];
}

export interface BankLint {
  readonly scenarios: readonly ScenarioLint[];
  readonly certified: number;
  /** Killed ÷ (all − equivalent) over the bank; null when there is no mutant to kill. */
  readonly mutationScore: number | null;
  readonly problems: readonly LintProblem[];
  readonly survivors: readonly Survivor[];
}

/** The share of mutants that a scenario must notice. */
export const MUTATION_SCORE_LEAST = 0.95;

/**
 * Proves every chosen scenario by execution, and compares the bank with its lock. A bank of `loadSoundParts`
 * may have files that are no scenarios: each is a scenario with one problem. A family is proven for the
 * instances that were loaded: the default one, or the variants that `loadBank` was asked for.
 */
export function lintBank(
  bank: LoadedBank,
  onProgress?: (progress: { readonly done: number; readonly of: number; readonly scenario: string }) => void,
): BankLint {
  const sound = bank.chosen.map((prepared, index): ScenarioLint => {
    const { id } = prepared.scenario;
    const lint = lintScenario(prepared, (path) => bank.placeOf(id, path));
    onProgress?.({ done: index + 1, of: bank.chosen.length, scenario: id });
    return isFamily(bank, id) ? { ...lint, family: true } : lint;
  });
  const scenarios = [...bank.faults.map(lintOfFault), ...sound];
  const problems = [...scenarios.flatMap((lint) => lint.problems), ...lockProblems(bank)];
  const killed = sum(scenarios.map((lint) => lint.killed));
  const counted = sum(scenarios.map((lint) => lint.mutants - lint.equivalent));
  return {
    scenarios,
    certified: scenarios.filter((lint) => lint.certified).length,
    mutationScore: counted === 0 ? null : Math.round((killed / counted) * 1e6) / 1e6,
    problems,
    survivors: scenarios.flatMap((lint) => lint.survivors),
  };
}

function isFamily({ folder }: LoadedBank, id: string): boolean {
  const entry = folder.scenarios.find(({ file }) => file.id === id.split('~')[0]);
  return entry?.file.bindings !== undefined;
}

/** A file that is no scenario: nothing of it can be proven. */
function lintOfFault({ message, hint, place = { file: '' } }: UsageError): ScenarioLint {
  const scenario = basename(place.file).replace(/\.ya?ml$/u, '');
  const said = hint === undefined ? message : `${message} (${hint})`;
  const problems = [problemAt(place, { scenario, rule: 'form', message: said })];
  return { scenario, certified: false, mutants: 0, killed: 0, equivalent: 0, problems, survivors: [] };
}

/** Proves one scenario. `placeOf` says where the parts of its file stand. */
export function lintScenario(prepared: PreparedScenario, placeOf: PlaceOf): ScenarioLint {
  const { scenario } = prepared;
  const problems: LintProblem[] = [];
  const reportAt = (rule: LintProblem['rule'], message: string, place: SourcePlace): void => {
    problems.push(problemAt(place, { scenario: scenario.id, rule, message }));
  };
  const report: Report = (rule, message, path) => reportAt(rule, message, placeOf(path));
  let mutation: Mutation = { mutants: 0, killed: 0, equivalent: 0, survivors: [] };
  try {
    const play = new ReferencePlay(prepared);
    if (checkBudget(play, report)) {
      checkReference(play, report);
      checkVacuous(play, report);
      checkIdleAgents(play, report);
      checkReplay(prepared, play, report);
      mutation = killMutants(play);
    }
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof InvariantError)) throw error;
    const place = error instanceof UsageError ? error.place : undefined;
    const part = error instanceof ReferenceResultError ? error.at : ['reference'];
    const hint = error instanceof UsageError && error.hint ? ` (${error.hint})` : '';
    reportAt('broken', `${error.message}${hint}`, place ?? placeOf(part));
  }
  const counted = mutation.mutants - mutation.equivalent;
  if (counted > 0 && mutation.killed / counted < MUTATION_SCORE_LEAST) {
    const missed = mutation.survivors.filter(({ equivalent }) => !equivalent).map(({ mutant }) => mutant);
    report(
      'mutants',
      `only ${mutation.killed} of ${counted} mutants are noticed; missed: ${missed.slice(0, 3).join('; ')}`,
      ['reference'],
    );
  }
  return { scenario: scenario.id, certified: problems.length === 0, ...mutation, problems };
}

function problemAt(
  { file, line = 1, column = 1 }: SourcePlace,
  problem: Pick<LintProblem, 'scenario' | 'rule' | 'message'>,
): LintProblem {
  const { scenario, rule, message } = problem;
  return { scenario, file, line, column, rule, message };
}

/** Reports a problem at the part of the scenario file that it concerns. */
type Report = (rule: LintProblem['rule'], message: string, path: PartPath) => void;
type PartPath = readonly PropertyKey[];

/** False when the budget ends the reference: then nothing else can be proven. */
function checkBudget({ cut, calls }: ReferencePlay, report: Report): boolean {
  if (!cut) return true;
  const after = `${cut.calls} ${cut.calls === 1 ? 'call' : 'calls'}`;
  const message = `the episode ended by ${cut.reason} after ${after}: the reference needs ${calls.length}`;
  report('reference', message, ['budgets']);
  return false;
}

function checkReference(play: ReferencePlay, report: Report): void {
  const { scenario } = play.prepared;
  const failed = failedReferenceCall(play.prepared, play.run);
  if (failed) report('reference', failed.message, ['reference', 'calls', failed.call]);
  const score = play.score();
  if (score.success && !score.void) return;
  const why = score.void?.detail ?? score.firstFailure?.message ?? 'unknown';
  report('reference', `the reference itself fails: ${why}`, failedPart(scenario, score));
}

/** The part of the file that demands what the score lacks first. */
function failedPart({ invariants, graders }: Scenario, { firstFailure, void: voided }: TrialScore): PartPath {
  const check = voided ? '' : (firstFailure?.check ?? '');
  const rule = invariants.findIndex(({ id }) => check === `invariant ${id}`);
  if (rule >= 0) return ['invariants', rule];
  const grader = graders.findIndex(({ kind }) => check === kind);
  return grader >= 0 ? ['graders', grader] : ['reference'];
}

function checkVacuous(play: ReferencePlay, report: Report): void {
  const { scenario, shape } = play.prepared;
  const findings = vacuousGraders(scenario.graders, {
    contract: play.run.contract,
    milestones: scenario.milestones,
    invariants: scenario.invariants,
    shape,
  });
  for (const { grader, message } of findings) {
    report('vacuous', message, grader === null ? ['graders'] : ['graders', grader]);
  }
}

/** An agent that does nothing, in two ways of answering, and one that stalls. */
function checkIdleAgents(play: ReferencePlay, report: Report): void {
  const { scenario } = play.prepared;
  for (const [what, answer] of [
    ['says nothing', ''],
    ['repeats the task', scenario.task.text],
  ] as const) {
    if (play.scoreOf(play.before(0), answer).success)
      report('do-nothing', `an agent that does nothing and ${what} passes`, ['graders']);
  }
  checkStallingAgent(play, report);
}

/**
 * An agent that repeats the first read must fail however it ends: by the budget, or in its last moment by an
 * answer that knows nothing of what it read.
 */
function checkStallingAgent(play: ReferencePlay, report: Report): void {
  const { scenario, services } = play.prepared;
  const { byName } = toolboxOf(services);
  const read = play.calls.find(({ tool }) => byName.get(tool)?.effect === 'read') ?? play.calls[0];
  if (!read) return;
  const session = play.before(0);
  const limit = scenario.budgets.calls ?? CALLS_WHEN_UNLIMITED;
  const repeat = (count: number): void =>
    play.continue(session, Array(count).fill({ ...read, number: null }));
  repeat(limit);
  const endings = [
    ['answers nothing', () => play.scoreOf(session.fork(), '')],
    ['repeats the task as its answer', () => play.scoreOf(session.fork(), scenario.task.text)],
    ['runs out of its budget', () => stalledToTheEnd(play, session, () => repeat(1))],
  ] as const;
  for (const [what, scoreIt] of endings) {
    if (!scoreIt().success) continue;
    report('stall', `an agent that repeats ${read.tool} to the last call and then ${what} passes`, [
      'graders',
    ]);
  }
}

/** Budgets of scenarios always name calls; a scenario made by a program may not. */
const CALLS_WHEN_UNLIMITED = 50;

function stalledToTheEnd(play: ReferencePlay, session: Session, once: () => void): TrialScore {
  once();
  return play.scoreTrajectory(session.finish({ reason: session.ended ?? 'agent-stopped' }));
}

/** The reference twice, and its record replayed: all three byte for byte alike. */
function checkReplay(prepared: PreparedScenario, play: ReferencePlay, report: Report): void {
  const texts = [0, 1].map(() => {
    const session = openSession(optionsFor(prepared, { streamSeed: PROOF_SEED, asAgent: true }));
    play.continue(session, play.calls);
    const trajectory = session.finish({ reason: 'answer', answer: prepared.scenario.reference.answer });
    return { text: session.text(), trajectory };
  });
  const [first, second] = texts;
  if (!first || !second || first.text !== second.text) {
    report('replay', 'two runs of the reference differ', ['reference']);
  }
  const replayed = first && replayTrajectory(first.trajectory, prepared);
  if (!replayed?.identical) {
    report(
      'replay',
      `the reference does not replay: ${JSON.stringify(replayed?.firstDivergence as unknown as Json)}`,
      ['reference'],
    );
  }
}

type Mutation = Pick<ScenarioLint, 'mutants' | 'killed' | 'equivalent' | 'survivors'>;

function killMutants(play: ReferencePlay): Mutation {
  const mutants = mutantsOf(play.prepared, play.calls);
  const survivors: Survivor[] = [];
  for (const mutant of mutants) {
    const survivor = runMutant(play, mutant);
    if (survivor) survivors.push(survivor);
  }
  const equivalent = survivors.filter((survivor) => survivor.equivalent).length;
  return { mutants: mutants.length, killed: mutants.length - survivors.length, equivalent, survivors };
}

function runMutant(play: ReferencePlay, mutant: Mutant): Survivor | null {
  const session = play.before(mutant.at);
  play.continue(session, mutant.calls);
  const trajectory = session.ended
    ? session.finish({ reason: session.ended })
    : session.finish({ reason: 'answer', answer: play.prepared.scenario.reference.answer });
  const score: TrialScore = play.scoreTrajectory(trajectory);
  if (!score.success) return null;
  // The reference's own end state, without what the contract allows besides.
  const exact: Contract = { expect: play.run.contract.expect, allow: [], mask: play.run.contract.mask };
  const witnesses = checkContract(exact, netDiff(trajectory.steps), { shape: play.prepared.shape });
  return {
    scenario: play.prepared.scenario.id,
    mutant: mutant.description,
    // A read never moves the end state, so for a read that a rule names an equal end proves nothing.
    equivalent: witnesses.length === 0 && mutant.changesState,
  };
}

function lockProblems(bank: LoadedBank): LintProblem[] {
  // Part of a bank is another bank, and so are other instances of its families: no lock speaks of them.
  const isVariant = bank.all.some(({ scenario }) => scenario.variant !== undefined);
  if (bank.faults.length > 0 || isVariant) return [];
  const { lock, directory } = bank.folder;
  const file = `${directory}/bank.lock.json`;
  const problem = (message: string): LintProblem =>
    problemAt({ file }, { scenario: '', rule: 'lock', message });
  if (!lock) return [problem('the bank has no lock: write it with `groundhog bank lock`')];
  return lockDifferences(lock, currentLock(bank)).map(problem);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
