import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../base/errors.ts';
import { seedWorld } from '../service/seed.ts';
import { notes } from '../services/notes/index.ts';
import type { World } from '../world/index.ts';
import { exportSqlite, importSqlite } from './world-sqlite.ts';

const SCHEMAS = { notes: notes.schema };
const world = seedWorld([{ service: notes, seed: 'small' }]) as World;

describe('a SQLite export that somebody edited', () => {
  let folder = '';
  let file = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'groundhog-sqlite-'));
    file = join(folder, 'notes.sqlite');
    exportSqlite(world, file, { secrets: true });
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function edit(statement: string): void {
    const database = new DatabaseSync(file);
    database.exec(statement);
    database.close();
  }

  it('is read back whole when nobody did', () => {
    expect(importSqlite(file, SCHEMAS).merkleRoot()).toBe(world.merkleRoot());
  });

  for (const [what, statement] of Object.entries({
    'a column for people': `UPDATE "notes.notes" SET title = 'edited' WHERE rowid = 1`,
    'the text of a row': `UPDATE "notes.notes" SET _row = replace(_row, 'note', 'nose') WHERE rowid = 1`,
    'the number of rows': `DELETE FROM "notes.notes" WHERE rowid = 1`,
  })) {
    it(`is refused when ${what} changed`, () => {
      edit(statement);
      expect(() => importSqlite(file, SCHEMAS)).toThrow(UsageError);
    });
  }
});
