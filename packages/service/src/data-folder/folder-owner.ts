import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describePermissionRemedy, effectiveUser, userNameOf } from '../users/permission-remedy.ts';
import { DataFolderError } from './data-folder-error.ts';

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

const ROOT: Identity = { uid: 0, gid: 0 };

/** The identity that the process had before it acts as the owner of a folder. Null while it does not. */
let caller: { readonly groups: readonly number[]; readonly owner: Identity } | null = null;

/** A file that nobody may execute is refused like a folder that nobody may enter. */
const isFile = (path: string): boolean => {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
};

/** Throws a DataFolderError for a folder that this user cannot read, which looks like an empty one otherwise. */
export const requireReadableFolder = (folder: string): void => {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return;
    if (isFile(folder)) throw new DataFolderError(`${folder}: is a file, but must be a folder`);
    throw new DataFolderError(
      `${folder}: permission denied for the user ${userNameOf(effectiveUser())}. ${describePermissionRemedy(folder)}`,
    );
  }
};

const setIdentity = ({ uid, gid }: Identity): void => {
  // The user last on the way down, because only root may change the groups.
  process.setegid!(gid);
  process.seteuid!(uid);
};

/** The declared type of `process` lacks it. */
const { initgroups } = process as unknown as { readonly initgroups: (user: number, group: number) => void };

const becomeOwner = (owner: Identity): void => {
  try {
    initgroups(owner.uid, owner.gid);
  } catch {
    // A user without an entry in /etc/passwd, as in containers.
    process.setgroups!([owner.gid]);
  }
  setIdentity(owner);
};

const becomeRoot = (groups: readonly number[]): void => {
  process.seteuid!(ROOT.uid);
  process.setegid!(ROOT.gid);
  process.setgroups!([...groups]);
};

const foreignOwnerOf = (folder: string): Identity | null => {
  const owner = statSync(folder, { throwIfNoEntry: false });
  return owner === undefined || owner.uid === ROOT.uid || effectiveUser() !== ROOT.uid ? null : owner;
};

/**
 * Loads the native part of SQLite, which the owner may not be allowed to read. It reads the folder for temporary files from
 * the environment now; that of root may be private.
 */
const prepareSqlite = (): void => {
  delete process.env['TMPDIR'];
  new SqliteDatabase(':memory:').close();
};

/**
 * Does the work with the rights of the owner of the folder if root calls, so that the service can use every file that the
 * work creates. Throws a DataFolderError where root may not become that user, as in a container without capabilities.
 */
export const asFolderOwner = async <T>(folder: string, work: () => Promise<T>): Promise<T> => {
  const owner = foreignOwnerOf(folder);
  if (owner === null) return work();
  const groups = process.getgroups!();
  prepareSqlite();
  try {
    becomeOwner(owner);
  } catch (error) {
    becomeRoot(groups);
    const name = userNameOf(owner.uid);
    throw new DataFolderError(
      `${folder} belongs to ${name}, and root may not act as that user here. Run the command as ${name}`,
      { cause: error },
    );
  }
  caller = { groups, owner };
  try {
    return await work();
  } finally {
    caller = null;
    becomeRoot(groups);
  }
};

/** Reads a file with the rights of the person who called the command. */
export const asCaller = <T>(read: () => T): T => {
  if (caller === null) return read();
  const { groups, owner } = caller;
  becomeRoot(groups);
  try {
    return read();
  } finally {
    becomeOwner(owner);
  }
};

/** Writes a file with the rights of the person who called the command, unless its folder belongs to the owner of the data. */
export const writeAsCaller = async <T>(file: string, write: () => Promise<T>): Promise<T> => {
  if (caller === null) return write();
  const acting = caller;
  const { groups, owner } = acting;
  becomeRoot(groups);
  caller = null;
  try {
    if (statSync(dirname(file), { throwIfNoEntry: false })?.uid === owner.uid) becomeOwner(owner);
    return await write();
  } finally {
    becomeRoot(groups);
    becomeOwner(owner);
    caller = acting;
  }
};

/** For a program that keeps running. Throws a DataFolderError if root would leave files that the owner cannot read. */
export const requireOwnFolder = (folder: string): void => {
  const owner = foreignOwnerOf(folder);
  if (owner === null) return;
  const name = userNameOf(owner.uid);
  throw new DataFolderError(`${folder} belongs to ${name}. Run the program as that user, with sudo -u ${name}`);
};
