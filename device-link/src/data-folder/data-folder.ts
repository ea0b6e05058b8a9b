import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { writePrivately } from '../identity/private-file.ts';
import type { LinkLog } from '../link-log.ts';

const kinds = ['device', 'gateway', 'bridge'] as const;
type FolderKind = (typeof kinds)[number];

/** Somebody else's folder, or one that is in use. */
export class FolderRefusal extends Error {
  override readonly name = 'FolderRefusal';
}

const inWords: Readonly<Record<FolderKind, string>> = {
  device: 'a controller',
  gateway: 'a gateway',
  bridge: 'a bridge',
};

/** What each kind makes at its first start, for folders that do not say their kind. */
const marks: Readonly<Record<FolderKind, readonly string[]>> = {
  device: ['slice.db', 'events.db'],
  gateway: ['gateway'],
  bridge: ['bridge.sqlite'],
};

const kindFile = (folder: string): string => join(folder, 'folder-kind');

const writtenKind = (folder: string): FolderKind | null => {
  try {
    const text = readFileSync(kindFile(folder), 'utf8').trim();
    return kinds.find(kind => kind === text) ?? null;
  } catch {
    return null;
  }
};

const kindOf = (folder: string): FolderKind | null =>
  writtenKind(folder) ?? kinds.find(kind => marks[kind].some(name => existsSync(join(folder, name)))) ?? null;

/** Throws a FolderRefusal for the folder of another kind. */
const checkKind = (folder: string, kind: FolderKind): void => {
  const found = kindOf(folder);
  if (found !== null && found !== kind)
    throw new FolderRefusal(`${folder} is the data folder of ${inWords[found]}: ${inWords[kind]} needs one of its own`);
};

/** From now on this folder is of this kind. Throws a FolderRefusal when it is of another. */
export const markFolder = (folder: string, kind: FolderKind, log: LinkLog): void => {
  checkKind(folder, kind);
  if (writtenKind(folder) === kind) return;
  try {
    writePrivately(kindFile(folder), `${kind}\n`);
  } catch (error) {
    log('warn', 'the data folder cannot be marked', { why: (error as Error).message });
  }
};

/**
 * Held by a lock of the operating system on an empty file: it ends with the process, however that ends. Where nothing can
 * be locked the door serves all the same.
 */
const lock = (folder: string, kind: FolderKind, log: LinkLog): (() => void) => {
  let database: SqliteDatabase.Database | null = null;
  try {
    database = new SqliteDatabase(join(folder, 'folder.lock'), { timeout: 0 });
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    database = null;
    if (error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code))
      throw new FolderRefusal(`${folder} is in use: ${inWords[kind]} runs on it already`);
    log('warn', 'the data folder cannot be locked', { why: (error as Error).message });
  }
  return () => void database?.close();
};

/** For this process alone until the answer is called or the process ends. Throws a FolderRefusal. */
export const takeFolder = (folder: string, kind: FolderKind, log: LinkLog): (() => void) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  checkKind(folder, kind);
  const release = lock(folder, kind, log);
  markFolder(folder, kind, log);
  return release;
};
