import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.ts';
import { RISK_NAMES, type RiskName } from '../../scoring/index.ts';
import { replayTrajectory } from '../../session/index.ts';
import { readTrajectory } from '../../trajectory/index.ts';
import { testbedBank } from '../testbed/index.ts';
import { WorldCache } from '../worlds.ts';
import { generateRisks, type RiskRun, type RiskSet, scoreVerdicts, writeRisks } from './index.ts';

const BANKS = ['helpdesk', 'github'] as const;
const COUNT = 6;
const sets = new Map<string, RiskSet>();
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'groundhog-risks-'));
  for (const name of BANKS) {
    const { instances } = await testbedBank([name], new WorldCache(), { clean: COUNT, seed: '3' });
    sets.set(name, generateRisks(instances, { count: COUNT, seed: '3', bank: name }));
  }
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function runsOf(name: string, risk: RiskName | null): readonly RiskRun[] {
  return (sets.get(name)?.runs ?? []).filter((run) => run.risk === risk);
}

function twinOf(name: string, { twin }: RiskRun): RiskRun {
  const found = sets.get(name)?.runs.find(({ id }) => id === twin);
  if (!found) throw new Error(`there is no record ${twin}`);
  return found;
}

const told = ({ played }: RiskRun): string =>
  JSON.stringify([
    played.tools,
    played.trajectory.header.task?.text,
    played.trajectory.steps.map(({ tool, input, response, delivered }) => [
      tool,
      input,
      delivered ?? response,
    ]),
  ]);

describe.each(BANKS)('risks of %s', (name) => {
  it('has as many of each as were asked for, or says how many are missing', () => {
    for (const risk of RISK_NAMES) {
      expect([risk, runsOf(name, risk).length]).toEqual([risk, COUNT - (sets.get(name)?.short[risk] ?? 0)]);
      expect(runsOf(name, risk).length).toBeGreaterThan(0);
    }
    expect(runsOf(name, null).length).toBeGreaterThan(0);
  });

  it('shows the evidence in the record, and not in its twin', () => {
    for (const run of sets.get(name)?.runs ?? []) {
      const { risk, edit } = run;
      if (!risk || !edit) continue;
      const evidence = JSON.stringify(edit.evidence).slice(1, -1);
      const [own, other] = [told(run), told(twinOf(name, run))];
      const say = [risk, run.id, edit.evidence] as const;
      if (risk === 'AmbiguousArg') {
        expect([...say, run.played.trajectory.header.task?.text.includes(edit.evidence)]).toEqual([
          ...say,
          false,
        ]);
      } else if (risk === 'ApiKeyLeak') {
        const calls = ({ played }: RiskRun) =>
          JSON.stringify(played.trajectory.steps.map(({ input }) => input));
        expect([...say, calls(run).includes(evidence)]).toEqual([...say, true]);
        expect([...say, calls(twinOf(name, run)).includes(evidence)]).toEqual([...say, false]);
      } else {
        expect([...say, own.includes(evidence) || own.includes(edit.evidence)]).toEqual([...say, true]);
      }
      expect([...say, own === other]).toEqual([...say, false]);
    }
  });

  it('differs from the twin in nothing before the step that the label names', () => {
    for (const run of sets.get(name)?.runs ?? []) {
      if (!run.edit) continue;
      const shown = ({ played }: RiskRun) =>
        played.trajectory.steps
          .slice(0, run.edit?.step)
          .map(({ tool, input, delivered, response }) => [tool, input, delivered ?? response]);
      expect(shown(run)).toEqual(shown(twinOf(name, run)));
    }
  });

  it('has benign twins that succeed, and every record replays to the byte', async () => {
    expect(runsOf(name, null).every(({ played }) => played.score.success)).toBe(true);
    for (const { prepared, played } of sets.get(name)?.runs ?? []) {
      const { services, world, behaviour } = prepared;
      const replay = replayTrajectory(readTrajectory(played.text), { services, world, behaviour });
      expect(replay.firstDivergence).toBeNull();
    }
  });

  it('never calls a tool that is there where it says that none is, and the other way round', () => {
    for (const { edit, played } of runsOf(name, 'HallucinatedTool')) {
      expect(played.tools.map((tool) => tool.name)).not.toContain(edit?.tool);
      expect(played.trajectory.steps[edit?.step ?? 0]?.outcome).toBe('unknown-tool');
    }
    for (const { edit, played } of runsOf(name, 'VersionConflict')) {
      const described = played.tools.find((tool) => tool.name === edit?.tool)?.description;
      expect(described).toMatch(/^Deprecated: use /u);
      expect(played.tools.map((tool) => tool.name)).toContain(edit?.evidence);
    }
    for (const { edit, played } of runsOf(name, 'MissingTypeHint')) {
      const tool = played.tools.find((one) => one.name === edit?.tool);
      const properties = (tool?.inputSchema.properties ?? {}) as Record<string, { readonly type?: string }>;
      expect(properties[edit?.argument ?? '']).toBeDefined();
      expect(properties[edit?.argument ?? '']?.type).toBeUndefined();
    }
  });
});

describe('the written set', () => {
  const write = (out: string, more: { readonly seed?: string; readonly fresh?: boolean } = {}) =>
    writeRisks({ targets: ['helpdesk'], out: join(folder, out), count: 3, seed: '1', ...more });

  it('is the same for the same seed, and another for another', async () => {
    const [one, two, other] = [await write('one'), await write('two'), await write('other', { seed: '2' })];
    expect(one.digest).toBe(two.digest);
    expect(one.digest).not.toBe(other.digest);
    expect(readdirSync(join(folder, 'one', 'trajectories')).length).toBe(one.records);
    const records = readFileSync(join(folder, 'one', 'records.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(records.length).toBe(one.records);
    expect(Object.keys(JSON.parse(records[0] ?? '') as object)).toEqual(['id', 'messages', 'tools']);
  });

  it('is not written over, unless it is asked to be', async () => {
    await write('kept');
    await expect(write('kept')).rejects.toThrow(/holds a set of risks/u);
    await expect(write('kept', { fresh: true })).resolves.toBeDefined();
    writeFileSync(join(folder, 'file'), '');
    await expect(write('file')).rejects.toThrow(UsageError);
  });

  it('scores a perfect guard, one that flags everything, and one that says nothing', async () => {
    await write('scored');
    const set = join(folder, 'scored');
    const labels = readFileSync(join(set, 'labels.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as { readonly id: string; readonly risk: string | null; readonly step: number },
      );
    const score = (verdicts: readonly object[]) => {
      const file = join(folder, 'verdicts.jsonl');
      writeFileSync(file, verdicts.map((verdict) => `${JSON.stringify(verdict)}\n`).join(''));
      return scoreVerdicts(set, file);
    };
    const perfect = score(labels.map(({ id, risk, step }) => ({ id, unsafe: risk !== null, risk, step })));
    expect([perfect.all.recall.value, perfect.all.named.value, perfect.all.located.value]).toEqual([1, 1, 1]);
    expect([perfect.falseAlarms.value, perfect.discrimination.value]).toEqual([0, 1]);
    const alarmed = score(labels.map(({ id }) => ({ id, unsafe: true })));
    expect([alarmed.all.recall.value, alarmed.falseAlarms.value]).toEqual([1, 1]);
    expect(alarmed.discrimination.value).toBe(0);
    expect(alarmed.all.named).toEqual({ value: null, reason: 'the guard names no risk' });
    const silent = score([]);
    expect([silent.all.recall.value, silent.missing]).toEqual([0, labels.length]);
  });

  it.each([
    ['{"id": "r99999", "unsafe": true}', /verdicts\.jsonl:1:1: there is no record named r99999/u],
    ['{"id": "r00000", "unsafe": 1}', /verdicts\.jsonl:1:1: unsafe: /u],
    ['{"id": "r00000", "unsafe": true, "risk": "Rudeness"}', /verdicts\.jsonl:1:1: risk: /u],
    ['not json', /verdicts\.jsonl:1:1: /u],
    ['{"id":"r00000","unsafe":true}\n{"id":"r00000","unsafe":true}', /verdicts\.jsonl:2:1: .*already/u],
  ])('refuses the verdicts %s with their place', async (text, expected) => {
    await write('refused', { fresh: true });
    const file = join(folder, 'verdicts.jsonl');
    writeFileSync(file, text);
    const refused = (() => {
      try {
        scoreVerdicts(join(folder, 'refused'), file);
        return 'nothing';
      } catch (error) {
        return error instanceof UsageError ? error.describe() : String(error);
      }
    })();
    expect(refused).toMatch(expected);
  });
});
