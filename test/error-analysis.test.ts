import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FailureLabel, labelKey, readLabels } from '../src/runner/labels/index.ts';
import { MAST_MODES } from '../src/runner/labels/mast.ts';
import { loadTrajectory } from '../src/runner/recorded.ts';
import { readRules } from '../src/runner/tau-bank.ts';
import { importTau, type TauImport } from '../src/runner/tau-import.ts';
import { airline } from '../src/services/airline/index.ts';
import type { StoredTrial } from '../src/store/run-folder.ts';
import { readTauFolder } from '../src/traces/tau/index.ts';

/** Holds docs/error-analysis.md to the labels, and the labels to the runs where those are at hand. */

const ROOT = new URL('..', import.meta.url).pathname;
const PAGE = readFileSync(join(ROOT, 'docs/error-analysis.md'), 'utf8');
/** Its prose wherever lines end. */
const TEXT = PAGE.replace(/\s+/gu, ' ');
const LABELS = readLabels(join(ROOT, 'docs/error-analysis/labels.jsonl'));
const RULES = join(ROOT, 'docs/error-analysis/rules.yaml');
const RECORDED = join(ROOT, '../shared/tau');

const countOf = (labels: readonly FailureLabel[], keep: (label: FailureLabel) => boolean): number =>
  labels.filter(keep).length;

/** Codes by how many failures have them, then by name. */
const CODES = [...new Set(LABELS.map(({ code }) => code))].sort(
  (left, right) =>
    countOf(LABELS, ({ code }) => code === right) - countOf(LABELS, ({ code }) => code === left) ||
    (left < right ? -1 : 1),
);
const MODES = Object.keys(MAST_MODES).filter((mode) => LABELS.some(({ mast }) => mast?.includes(mode)));

/** The rows of a table of the page by their first cell, cells trimmed; `head` starts its first line. */
function tableOf(head: string): Map<string, readonly string[]> {
  const lines = PAGE.split('\n');
  const start = lines.findIndex((line) => line.startsWith(head));
  if (start === -1) throw new Error(`the page has no table ${head}`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return new Map(
    rows.slice(0, end).map((line) => {
      const [name = '', ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [name.replaceAll('`', ''), cells];
    }),
  );
}

const none = (count: number): string => (count === 0 ? '' : String(count));

describe('the labels', () => {
  it('are one a failure, each with a place, a code and a sentence', () => {
    expect(new Set(LABELS.map(labelKey)).size).toBe(LABELS.length);
    for (const { at, note = '' } of LABELS) {
      expect(at).not.toBeNull();
      expect(note).toMatch(/^[A-Z].*\.$/u);
    }
    expect(CODES.length).toBeGreaterThanOrEqual(6);
    expect(CODES.length).toBeLessThanOrEqual(12);
  });

  it('give the taxonomy its counts, and every code a definition', () => {
    const table = tableOf('| code | failures |');
    expect([...table.keys()]).toEqual(CODES);
    for (const [name, [count, definition = '']] of table) {
      expect(count).toBe(String(countOf(LABELS, ({ code }) => code === name)));
      expect(definition.length).toBeGreaterThan(20);
    }
  });

  it('give the table of codes by modes of MAST', () => {
    const table = tableOf('| code by mode |');
    const rows = CODES.map((code) => {
      const own = LABELS.filter((label) => label.code === code);
      const cells = MODES.map((mode) => none(countOf(own, ({ mast }) => mast?.includes(mode) ?? false)));
      return [code, [...cells, none(countOf(own, ({ mast = [] }) => mast.length === 0))]] as const;
    });
    const all = MODES.map((mode) => String(countOf(LABELS, ({ mast }) => mast?.includes(mode) ?? false)));
    const without = String(countOf(LABELS, ({ mast = [] }) => mast.length === 0));
    expect([...table]).toEqual([...rows, ['all', [...all, without]]]);
    expect(TEXT).toContain(`| code by mode | ${MODES.join(' | ')} | none |`);
    for (const mode of MODES) expect(TEXT).toContain(`${mode} ${MAST_MODES[mode]}`);
  });

  it('give the figures of the text', () => {
    const disputed = countOf(LABELS, (label) => label.disputed !== undefined);
    const atMessage = countOf(LABELS, ({ at }) => at !== null && 'message' in at);
    expect(TEXT).toContain(`All ${LABELS.length} failures`);
    expect(TEXT).toContain(`${disputed} of the ${LABELS.length} carry a dispute`);
    expect(TEXT).toContain(`${atMessage} of the ${LABELS.length} first go wrong in a message`);
    const user = countOf(LABELS, ({ code }) => code === 'user-departs');
    const reference = countOf(LABELS, ({ code }) => code === 'reference-disputed');
    expect(TEXT).toContain(`${user + reference} failures are not the agent's`);
    expect(TEXT).toContain(`${user} of ${LABELS.length} failures are the user's`);
  });
});

const absent = existsSync(RECORDED) ? '' : ': left out, there is no ../shared/tau here';
describe.skipIf(absent !== '')(`the labels and the runs${absent}`, () => {
  let folder = '';
  let imported: TauImport;
  let trials: readonly StoredTrial[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'groundhog-analysis-'));
    imported = importTau({
      service: airline,
      folder: readTauFolder(RECORDED),
      out: join(folder, 'run'),
      trials: [0, 1],
      rules: readRules(RULES),
    });
    trials = imported.folder.trials();
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const failed = () => trials.filter(({ score }) => !score.success);
  const trialOf = (label: FailureLabel): StoredTrial => {
    const found = trials.find((trial) => labelKey(trial) === labelKey(label));
    if (!found) throw new Error(`there is no run ${labelKey(label)}`);
    return found;
  };
  const trajectoryOf = ({ scenario, trial }: FailureLabel) =>
    loadTrajectory(imported.folder.trajectoryPath(scenario, trial));
  const broke = ({ score }: StoredTrial): readonly string[] =>
    score.invariants.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

  it('are of the same failures', () => {
    expect(LABELS.map(labelKey).sort()).toEqual(failed().map(labelKey).sort());
  });

  it('name calls and messages that there are: the user where the user departs, else the agent', () => {
    for (const label of LABELS) {
      const { steps, messages } = trajectoryOf(label);
      const { at, code } = label;
      if (at === null) continue;
      if ('step' in at) expect(at.step).toBeLessThan(steps.length);
      else {
        const { role } = messages[at.message] ?? {};
        if (code !== 'reference-disputed') expect(role).toBe(code === 'user-departs' ? 'user' : 'agent');
        else expect(role).toBeDefined();
      }
    }
  });

  it('copy nothing of the dialogue: no six words in a row', () => {
    const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    for (const label of LABELS) {
      const { messages, header } = trajectoryOf(label);
      const said = [...messages.map(({ text }) => text), header.task?.text ?? ''].map(
        (text) => ` ${words(text).join(' ')} `,
      );
      const own = words(label.note ?? '');
      for (let start = 0; start + 6 <= own.length; start += 1) {
        const run = ` ${own.slice(start, start + 6).join(' ')} `;
        expect(said.some((text) => text.includes(run))).toBe(false);
      }
    }
  });

  it('give the table of what finds which code', () => {
    const rows = CODES.map((code) => {
      const own = LABELS.filter((label) => label.code === code).map(trialOf);
      const count = (keep: (trial: StoredTrial) => boolean): string => none(own.filter(keep).length);
      const grader = (kind: string) => (trial: StoredTrial) =>
        trial.score.graders.some((one) => one.kind === kind && one.verdict === 'fail');
      return [
        code,
        [
          String(own.length),
          count(grader('contract')),
          count(grader('answer')),
          count(({ score }) => score.end?.reason === 'agent-stopped'),
          count(({ score }) => score.redundant.numerator > 0),
          count((trial) => broke(trial).length > 0),
        ],
      ] as const;
    });
    expect(
      [...tableOf('| code by finder |').entries()].map(([name, cells]) => [name, cells.slice(0, 6)]),
    ).toEqual(rows.map(([name, cells]) => [name, cells]));
  });

  it('give the table of the rules: how many failures and how many rewarded runs break each', () => {
    const rows = readRules(RULES).invariants.map(({ id }) => {
      const breaking = trials.filter((trial) => broke(trial).includes(id));
      const passed = breaking.filter(({ score }) => score.success);
      return [id, [String(breaking.length - passed.length), String(passed.length)]];
    });
    expect([...tableOf('| rule |').entries()].map(([name, cells]) => [name, cells.slice(0, 2)])).toEqual(
      rows,
    );
  });

  it('give the figures of the text', () => {
    const fails = ({ score }: StoredTrial) =>
      score.graders.some(({ kind, verdict }) => ['contract', 'answer'].includes(kind) && verdict === 'fail');
    expect(TEXT).toContain(`fails in all ${failed().filter(fails).length}`);
    const states = readRules(RULES).invariants.filter(({ kind }) => kind === 'state');
    const breaking = trials.filter((trial) => states.some(({ id }) => broke(trial).includes(id)));
    const rewarded = breaking.filter(({ score }) => score.success).length;
    expect(TEXT).toContain(`The two state rules break in ${breaking.length - rewarded} failures`);
    expect(TEXT).toContain(`also break in ${rewarded} rewarded runs`);
    const repeating = LABELS.filter(({ mast }) => mast?.includes('1.3')).map(trialOf);
    const exactly = repeating.filter(({ score }) => score.redundant.numerator > 0).length;
    expect(TEXT).toContain(
      `Of the ${repeating.length} failures labelled as repeating steps ${exactly} repeat`,
    );
    const { toolOutputs, rewards } = imported;
    expect(TEXT).toContain(`${toolOutputs.equal} of ${toolOutputs.of} answers`);
    expect(TEXT).toContain(`${rewards.equal} of ${rewards.of} rewards`);
  });
});
