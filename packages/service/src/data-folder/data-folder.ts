import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Log } from '../log-function-type.ts';
import { createPrivateFolder } from './create-folder.ts';
import { DataFolderError } from './data-folder-error.ts';
import { requireOwnFolder, requireReadableFolder } from './folder-owner.ts';
import { writePrivateFile } from './private-file.ts';

export { DataFolderError };

const kinds = ['device', 'gateway', 'bridge', 'demonstration'] as const;
type FolderKind = (typeof kinds)[number];

const kindNames: Readonly<Record<FolderKind, string>> = {
  device: 'a controller',
  gateway: 'a gateway',
  bridge: 'a bridge',
  demonstration: 'a demonstration',
};

/** Files that each kind creates at its first start, to recognize folders without `folder-kind`. */
const typicalFiles: Readonly<Record<FolderKind, readonly string[]>> = {
  device: ['slice.db', 'events.db'],
  // Not `gateway` alone, which may be the data folder of a gateway inside this one.
  gateway: ['gateway/revocations.db', 'gateway/status-address.json'],
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

/** Null for an unused folder. */
export const readDataFolderKind = (folder: string): FolderKind | null =>
  writtenKind(folder) ?? kinds.find(kind => typicalFiles[kind].some(name => existsSync(join(folder, name)))) ?? null;

/** Claimed before the first start, when the kind is not known yet. */
const isClaimed = (folder: string): boolean => existsSync(join(folder, 'identity', 'key.pem'));

const ownerOf = (folder: string, kind: FolderKind): string | null => {
  const found = readDataFolderKind(folder);
  if (found !== null) return found === kind ? null : kindNames[found];
  return kind === 'demonstration' && isClaimed(folder) ? 'a controller or a gateway' : null;
};

/** Throws a DataFolderError for a folder of another kind. Writes nothing. */
const checkKind = (folder: string, kind: FolderKind): void => {
  const owner = ownerOf(folder, kind);
  if (owner !== null)
    throw new DataFolderError(`${folder} is the data folder of ${owner}: ${kindNames[kind]} needs one of its own`);
};

/** Throws a DataFolderError unless the folder is of one of these kinds. Writes nothing. */
export const requireDataFolderKind = (folder: string, ...allowed: readonly [FolderKind, ...FolderKind[]]): void => {
  requireReadableFolder(folder);
  const found = readDataFolderKind(folder);
  if (found !== null && allowed.includes(found)) return;
  const actual = found === null ? 'is not the' : `is the data folder of ${kindNames[found]}, not the`;
  throw new DataFolderError(`${folder} ${actual} data folder of ${allowed.map(kind => kindNames[kind]).join(' or ')}`);
};

/** Throws a DataFolderError unless the folder is unused or of one of these kinds. Writes nothing. */
export const rejectForeignDataFolder = (folder: string, ...allowed: readonly [FolderKind, ...FolderKind[]]): void => {
  requireReadableFolder(folder);
  if (readDataFolderKind(folder) !== null) requireDataFolderKind(folder, ...allowed);
};

const OTHERS = 0o077;

const isEmptyFolder = (folder: string): boolean => readdirSync(folder).length === 0;

/**
 * Creates the folder if it is missing, and makes an empty folder and all files private. Throws a DataFolderError if other
 * users can read a folder that is in use.
 */
export const ensurePrivateFolder = (folder: string): void => {
  const isCreated = createPrivateFolder(folder);
  requireReadableFolder(folder);
  if (isCreated || isEmptyFolder(folder)) chmodSync(folder, 0o700);
  const mode = statSync(folder).mode & 0o777;
  if ((mode & OTHERS) !== 0) {
    const reason = `Other users can read ${folder} (mode ${mode.toString(8)}), which contains keys`;
    throw new DataFolderError(`${reason}. Run: chmod 700 ${folder}`);
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS) chmodSync(path, 0o600);
  }
};

/** Sets the kind of the folder. Throws a DataFolderError when it is of another kind. */
export const ensureDataFolderKind = (folder: string, kind: FolderKind, log: Log): void => {
  checkKind(folder, kind);
  if (writtenKind(folder) === kind) return;
  try {
    writePrivateFile(kindFile(folder), `${kind}\n`);
  } catch (error) {
    log('warn', 'The kind of the data folder cannot be saved', { why: (error as Error).message });
  }
};

/** Referenced here because a database that is garbage collected closes its file, which would end the lock. */
const heldLocks = new Set<SqliteDatabase.Database>();

/** A lock of the operating system on an empty file, which ends with the process. Without locks the program runs nevertheless. */
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
      throw new DataFolderError(`${folder} is in use by ${kindNames[kind]} that is already running`);
    log('warn', 'The data folder cannot be locked', { why: (error as Error).message });
  }
  if (database === null) return () => undefined;
  const held = database;
  heldLocks.add(held);
  return () => {
    heldLocks.delete(held);
    held.close();
  };
};

/** Reserves the folder for this process. The returned function releases it. Throws a DataFolderError. */
export const lockDataFolder = (folder: string, kind: FolderKind, log: Log): (() => void) => {
  createPrivateFolder(folder);
  requireReadableFolder(folder);
  requireOwnFolder(folder);
  checkKind(folder, kind);
  const release = lock(folder, kind, log);
  ensureDataFolderKind(folder, kind, log);
  return release;
};
