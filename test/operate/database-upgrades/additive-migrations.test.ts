import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { openSqlite } from '@lintel/service/sqlite/open-sqlite';
import { describe, expect, it } from 'vitest';
import { root } from '../../architecture/read-sources-and-resolve-imports.ts';
import { goldenFolder } from './golden-database.ts';

const migrationFolder = join(root, 'cloud-bridge/src/storage/migrations');

/** Statements after which a bridge of the previous version fails on the same database. */
const breakingStatements: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['drops a table', /drop\s+table|\.dropTable\(/i],
  ['drops a column', /drop\s+column|\.dropColumn\(/i],
  ['renames', /rename\s+(?:to|column)|\.rename(?:To|Column)\(/i],
  ['changes a column', /alter\s+column|\.alterColumn\(/i],
  ['adds a required column without a default', /add\s+column(?:(?!default)[^;'"`\n])*not\s+null(?!\s+default)/i],
];

const findBreakingStatements = (source: string): string[] =>
  breakingStatements.filter(([, pattern]) => pattern.test(source)).map(([what]) => what);

/** Migrations whose result is the same for a bridge of the previous version, whatever their statements are. */
const harmlessMigrations: Readonly<Record<string, string>> = {
  '0031-event-partitions.ts': 'puts a partitioned table with the same name and columns in the place of events',
};

/** The migrations of all released versions, from their golden databases. */
const releasedMigrations = (): Set<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'lintel-released-'));
  try {
    const names = readdirSync(goldenFolder).flatMap(version => {
      const file = join(folder, `${version}.sqlite`);
      writeFileSync(file, zstdDecompressSync(readFileSync(join(goldenFolder, version, 'sqlite.zst'))));
      const database = openSqlite(file);
      const rows = database.prepare('select name from schema_migrations').all() as { readonly name: string }[];
      database.close();
      return rows.map(({ name }) => name.slice(0, 4));
    });
    return new Set(names);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

describe('migrations after a release', () => {
  it('only add tables, indexes and optional columns, so that bridges of two versions share a database', () => {
    const released = releasedMigrations();
    expect(released).toContain('0001');
    const found = readdirSync(migrationFolder)
      .filter(file => /^\d{4}-/.test(file) && !released.has(file.slice(0, 4)) && harmlessMigrations[file] === undefined)
      .flatMap(file =>
        findBreakingStatements(readFileSync(join(migrationFolder, file), 'utf8')).map(what => `${file} ${what}`),
      );
    expect(found).toEqual([]);
  });

  it.each([
    ['drop table members', 'drops a table'],
    ['alter table members drop column name', 'drops a column'],
    ['alter table members rename column name to label', 'renames'],
    ['alter table members rename to people', 'renames'],
    ['alter table members alter column name type int', 'changes a column'],
    ['alter table members add column age int not null', 'adds a required column without a default'],
  ])('refuses: %s', (statement, what) => {
    expect(findBreakingStatements(statement)).toEqual([what]);
  });

  it.each([
    'alter table members add column age int',
    'alter table members add column age int not null default 0',
    'create index members_by_age on members (age)',
    'drop index members_by_age',
  ])('accepts: %s', statement => {
    expect(findBreakingStatements(statement)).toEqual([]);
  });
});
