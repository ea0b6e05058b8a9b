import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { writePrivately } from './private-file.ts';
import type { Log } from '../log.ts';

const kinds = ['device', 'gateway', 'bridge', 'demonstration'] as const;
type FolderKind = (typeof kinds)[number];

/** Somebody else's folder, or one that is in use. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

const inWords: Readonly<Record<FolderKind, string>> = {
  device: 'a controller',
  gateway: 'a gateway',
  bridge: 'a bridge',
  demonstration: 'a demonstration',
};

/** What each kind makes at its first start, for folders that do not say their kind. */
const marks: Readonly<Record<FolderKind, readonly string[]>> = {
  device: ['slice.db', 'events.db'],
  // A folder `gateway` alone may be that of a gateway, which lies in this one.
  gateway: ['gateway/store.db', 'gateway/status-address.json'],
  bridge: ['bridge.sqlite', 'master-keys.json'],
  demonstration: ['simulator.json'],
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

/** Null for one that nobody has used yet. */
export const kindOf = (folder: string): FolderKind | null =>
  writtenKind(folder) ?? kinds.find(kind => marks[kind].some(name => existsSync(join(folder, name)))) ?? null;

/** Claimed before its first start: by then it is not known yet what it will be. */
const isClaimed = (folder: string): boolean => existsSync(join(folder, 'identity', 'key.pem'));

const ownerOf = (folder: string, kind: FolderKind): string | null => {
  const found = kindOf(folder);
  if (found !== null) return found === kind ? null : inWords[found];
  return kind === 'demonstration' && isClaimed(folder) ? 'a controller or a gateway' : null;
};

/** Throws a DataFolderError for the folder of another kind. Writes nothing. */
const checkKind = (folder: string, kind: FolderKind): void => {
  const owner = ownerOf(folder, kind);
  if (owner !== null)
    throw new DataFolderError(`${folder} is the data folder of ${owner}: ${inWords[kind]} needs one of its own`);
};

/** Throws a DataFolderError unless it is what such a one has left there. Writes nothing. */
export const requireFolderOf = (folder: string, ...wanted: readonly [FolderKind, ...FolderKind[]]): void => {
  const found = kindOf(folder);
  if (found !== null && wanted.includes(found)) return;
  const seen = found === null ? 'is no' : `is the data folder of ${inWords[found]}, not the`;
  throw new DataFolderError(`${folder} ${seen} data folder of ${wanted.map(kind => inWords[kind]).join(' or ')}`);
};

/** Throws a DataFolderError when it belongs to none of these. One that nobody has used yet does. Writes nothing. */
export const refuseFolderOfOthers = (folder: string, ...wanted: readonly [FolderKind, ...FolderKind[]]): void => {
  if (kindOf(folder) !== null) requireFolderOf(folder, ...wanted);
};

/** From now on this folder is of this kind. Throws a DataFolderError when it is of another. */
export const markFolder = (folder: string, kind: FolderKind, log: Log): void => {
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
const lock = (folder: string, kind: FolderKind, log: Log): (() => void) => {
  let database: SqliteDatabase.Database | null = null;
  try {
    database = new SqliteDatabase(join(folder, 'folder.lock'), { timeout: 0 });
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    database = null;
    if (error instanceof SqliteDatabase.SqliteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code))
      throw new DataFolderError(`${folder} is in use: ${inWords[kind]} runs on it already`);
    log('warn', 'the data folder cannot be locked', { why: (error as Error).message });
  }
  return () => void database?.close();
};

/** For this process alone until the answer is called or the process ends. Throws a DataFolderError. */
export const takeFolder = (folder: string, kind: FolderKind, log: Log): (() => void) => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  checkKind(folder, kind);
  const release = lock(folder, kind, log);
  markFolder(folder, kind, log);
  return release;
};
