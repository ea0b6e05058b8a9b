import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openSqlite,
  SQLITE_PAGE_SIZE,
  readSqliteFileForMemory,
  type SqliteConnection,
  type SqliteOptions,
} from './open-sqlite.ts';
import { DamagedDataError, classifyStorageError } from './storage-error.ts';

let folder: string;
let file: string;
let opened: SqliteConnection[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-sqlite-'));
  file = join(folder, 'a.db');
  opened = [];
});
afterEach(() => {
  for (const database of opened) database.close();
  rmSync(folder, { recursive: true });
});

const layout = { version: 3, sql: 'CREATE TABLE t (x)' };

const open = (options: SqliteOptions = { layout }, path: string | Buffer = file): SqliteConnection => {
  const database = openSqlite(path, options);
  opened.push(database);
  return database;
};

const pragma = (database: SqliteConnection, name: string): unknown => database.pragma(name, { simple: true });

const errorOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
};

describe('openSqlite', () => {
  it('uses a write-ahead log and flushes every commit', () => {
    const database = open();
    expect(pragma(database, 'journal_mode')).toBe('wal');
    expect(pragma(database, 'synchronous')).toBe(2);
    expect(pragma(database, 'page_size')).toBe(SQLITE_PAGE_SIZE);
  });

  it('applies the given pragmas instead of the defaults', () => {
    const database = open({ pragmas: { synchronous: 'NORMAL', cache_size: -123 } });
    expect([pragma(database, 'synchronous'), pragma(database, 'cache_size')]).toEqual([1, -123]);
  });

  it('keeps the file and its log private to the owner, also a file that was not', () => {
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    open().exec('INSERT INTO t VALUES (1)');
    for (const suffix of ['', '-wal']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600);
  });

  it('creates the layout once, and leaves a file of a newer version as it is', () => {
    const first = open();
    expect(pragma(first, 'user_version')).toBe(3);
    first.pragma('user_version = 4');
    first.exec('INSERT INTO t VALUES (1)');
    const second = open();
    expect(pragma(second, 'user_version')).toBe(4);
    expect(second.prepare('SELECT x FROM t').all()).toEqual([{ x: 1 }]);
  });

  it('opens a second connection that can only read', () => {
    open();
    const reader = open({ isReadOnly: true });
    expect(() => reader.exec('INSERT INTO t VALUES (1)')).toThrow('readonly');
  });

  it('closes a file whose layout fails', () => {
    expect(() => open({ layout: { version: 1, sql: 'nonsense' } })).toThrow('syntax error');
    expect(pragma(open(), 'user_version')).toBe(3);
  });
});

describe('readSqliteFileForMemory', () => {
  it('returns what opens as a database in memory', () => {
    const database = open();
    database.exec('INSERT INTO t VALUES (7)');
    database.close();
    expect(open({ layout }, readSqliteFileForMemory(file)).prepare('SELECT x FROM t').all()).toEqual([{ x: 7 }]);
  });

  it('fails while a part of the data is in the log', () => {
    open().exec('INSERT INTO t VALUES (7)');
    expect(() => readSqliteFileForMemory(file)).toThrow('The write-ahead log cannot be read');
  });
});

describe('classifyStorageError', () => {
  it('recognizes a file that is not a database', () => {
    writeFileSync(file, 'x'.repeat(5_000));
    expect(classifyStorageError(errorOf(() => open()))).toBe('damaged');
  });

  it('recognizes a full file and a full disk', () => {
    const database = open({ layout, pragmas: { max_page_count: 3 } });
    expect(classifyStorageError(errorOf(() => database.exec('INSERT INTO t VALUES (zeroblob(100000))')))).toBe('full');
    expect(classifyStorageError(Object.assign(new Error('write'), { code: 'ENOSPC' }))).toBe('full');
  });

  it('recognizes damage that a program has detected, and nothing else', () => {
    expect(classifyStorageError(new DamagedDataError('wrong check sum'))).toBe('damaged');
    expect(classifyStorageError(errorOf(() => open({ layout }, join(folder, 'missing', 'a.db'))))).toBe('failed');
    expect(classifyStorageError(new TypeError('wrong'))).toBe('failed');
  });
});
