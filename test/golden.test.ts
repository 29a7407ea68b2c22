import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { digestText } from '../src/base/digest.ts';
import { environmentOf, loadTrajectory } from '../src/runner/recorded.ts';
import { WorldCache } from '../src/runner/worlds.ts';
import { replayTrajectory } from '../src/session/index.ts';

const FOLDER = new URL('./golden/', import.meta.url).pathname;

/** SHA-256 of each file. A line is added with a file, and never changed. */
const DIGESTS: Readonly<Record<string, string>> = {
  'v1-notes-budget.traj.jsonl': '753c5c58a14b59b446fa3321455483315a6d55a5763bd3c2f12dbfd448d2b101',
  'v1-notes-crashed.traj.jsonl': 'ed2f06cb4026198dd3f80b1eff7546ecd2918d85bc54fc0725f79f4e045e42dc',
  'v1-notes-joined.traj.jsonl': '08ce11d873d44e4fe9dfaa22a6fccc69c1f86e53ae9d53a2b252f52d6dd0a121',
  'v1-notes.traj.jsonl': '8c683ec98629b9348f5772d609e23374fb15cf27ff6600ea7279fd9c3f46f664',
};

describe('golden trajectories', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.traj.jsonl'));

  it('are all here, none of them edited', () => {
    const found = files.map((file) => [file, digestText(readFileSync(`${FOLDER}${file}`, 'utf8'))]);
    expect(Object.fromEntries(found)).toEqual(DIGESTS);
  });

  it.each(files)('%s is read and replays identically', (file) => {
    const trajectory = loadTrajectory(`${FOLDER}${file}`);
    const result = replayTrajectory(trajectory, environmentOf(trajectory, new WorldCache()));
    expect(result.firstDivergence).toBeNull();
    expect(result).toMatchObject({ identical: true, steps: trajectory.steps.length });
  });

  it('hold one of everything', () => {
    const { header, steps, messages, end } = loadTrajectory(`${FOLDER}v1-notes.traj.jsonl`);
    const outcomes = new Set(steps.map(({ outcome }) => outcome));
    expect([...outcomes].toSorted()).toEqual(['error', 'invalid-input', 'ok', 'unknown-tool', 'unmodelled']);
    expect(new Set(steps.flatMap(({ fault }) => fault?.kind ?? []))).toEqual(
      new Set(['reject', 'response-lost']),
    );
    for (const member of ['batch', 'waited', 'malformed', 'delivered', 'headers', 'error'] as const) {
      expect(steps.some((step) => step[member] !== undefined)).toBe(true);
    }
    for (const list of ['events', 'breaches', 'diff'] as const) {
      expect(steps.some((step) => step[list].length > 0)).toBe(true);
    }
    expect(steps.some(({ operations }) => operations.length > 1)).toBe(true);
    expect(new Set(messages.map(({ role }) => role))).toEqual(new Set(['user', 'agent']));
    expect([header.world.overlay.length, header.actors.length]).toEqual([1, 2]);
    expect(end?.reason).toBe('answer');
  });
});
