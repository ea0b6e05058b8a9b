import type { SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { openSqlite, type SqliteConnection } from '@lintel/service/sqlite/open-sqlite';
import { smallDevicePragmas } from '@lintel/service/sqlite/small-device-pragmas';
import { DamagedDataError } from '@lintel/service/sqlite/storage-error';
import type { StoredSnapshot } from '../snapshot-store-interface.ts';

/**
 * The digest of the bridge verifies a snapshot when it is applied. From then on a MAC protects it: it covers the
 * revision and the keyed sum of all entries.
 */
const LAYOUT = `
  CREATE TABLE entries (
    type TEXT NOT NULL, id TEXT NOT NULL, hash BLOB NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (type, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE held (
    one INTEGER PRIMARY KEY, revision INTEGER NOT NULL, digest TEXT NOT NULL, digest_key_id TEXT NOT NULL,
    seal TEXT NOT NULL
  ) STRICT;
  CREATE TABLE staged (chunk INTEGER PRIMARY KEY, transfer TEXT NOT NULL, body TEXT NOT NULL) STRICT;`;

/** Files of version 1 have no MAC. */
const LAYOUT_VERSION = 2;

/**
 * The saved member index that belongs to the entries, and the members that changed after it. A copy of their bodies is read
 * much faster at a start than the entries, which are all over a large file. Null: the member was dropped.
 */
const memberIndexLayout = (kind: '' | 'TEMP'): string => `
  CREATE ${kind} TABLE IF NOT EXISTS member_index (
    one INTEGER PRIMARY KEY, hash TEXT NOT NULL, members INTEGER NOT NULL, seal TEXT NOT NULL
  ) STRICT;
  CREATE ${kind} TABLE IF NOT EXISTS changed_members (id TEXT PRIMARY KEY, body TEXT) STRICT;`;

export interface StoredEntry {
  readonly hash: Buffer;
  readonly body: string;
}

export interface StoredMemberIndex {
  /** Of the file. */
  readonly hash: string;
  /** When it was saved. */
  readonly members: number;
  readonly seal: string;
}

export type StoredEntryWithKey = SnapshotEntryKey & { readonly body: string };

/** Columns are named, so that files of newer versions with more columns work. */
export const prepareSnapshotStatements = (database: SqliteConnection) => ({
  all: database.prepare<[], Pick<StoredEntryWithKey, 'type' | 'body'>>('SELECT type, body FROM entries'),
  page: database.prepare<[string, string, number], StoredEntryWithKey>(
    'SELECT type, id, body FROM entries WHERE (type, id) > (?, ?) ORDER BY type, id LIMIT ?',
  ),
  nonMembers: database
    .prepare<[], string>(
      "SELECT body FROM entries WHERE type < 'member' UNION ALL SELECT body FROM entries WHERE type > 'member'",
    )
    .pluck(),
  find: database.prepare<[string, string], StoredEntry>('SELECT hash, body FROM entries WHERE type = ? AND id = ?'),
  put: database.prepare<[string, string, Uint8Array, string]>(
    'INSERT OR REPLACE INTO entries (type, id, hash, body) VALUES (?, ?, ?, ?)',
  ),
  drop: database.prepare<[string, string], StoredEntry>(
    'DELETE FROM entries WHERE type = ? AND id = ? RETURNING hash, body',
  ),
  held: database.prepare<[], StoredSnapshot>('SELECT revision, digest, digest_key_id FROM held WHERE one = 1'),
  seal: database.prepare<[], string>('SELECT seal FROM held WHERE one = 1').pluck(),
  hold: database.prepare<[number, string, string, string]>(
    'INSERT OR REPLACE INTO held (one, revision, digest, digest_key_id, seal) VALUES (1, ?, ?, ?, ?)',
  ),
  memberIndex: database.prepare<[], StoredMemberIndex>('SELECT hash, members, seal FROM member_index WHERE one = 1'),
  setMemberIndex: database.prepare<[string, number, string]>(
    'INSERT OR REPLACE INTO member_index (one, hash, members, seal) VALUES (1, ?, ?, ?)',
  ),
  dropMemberIndex: database.prepare('DELETE FROM member_index'),
  addChangedMember: database.prepare<[string, string | null]>('INSERT INTO changed_members (id, body) VALUES (?, ?)'),
  updateChangedMember: database.prepare<[string | null, string]>('UPDATE changed_members SET body = ? WHERE id = ?'),
  changedMembers: database.prepare<[], { readonly id: string; readonly body: string | null }>(
    'SELECT id, body FROM changed_members',
  ),
  forgetChanged: database.prepare('DELETE FROM changed_members'),
  stage: database.prepare<[number, string, string]>(
    'INSERT OR REPLACE INTO staged (chunk, transfer, body) VALUES (?, ?, ?)',
  ),
  staged: database.prepare<[], { transfer: string; chunks: number }>(
    'SELECT max(transfer) AS transfer, count(*) AS chunks FROM staged HAVING count(*) > 0',
  ),
  chunk: database.prepare<[number], { body: string }>('SELECT body FROM staged WHERE chunk = ?'),
  unstage: database.prepare('DELETE FROM staged'),
  note: database.prepare<[string, string]>('INSERT OR IGNORE INTO seen VALUES (?, ?)'),
  unseen: database.prepare<[], SnapshotEntryKey>(
    'SELECT type, id FROM entries WHERE NOT EXISTS (SELECT 1 FROM seen WHERE seen.type = entries.type AND seen.id = entries.id)',
  ),
  forget: database.prepare('DELETE FROM seen'),
});

export type SnapshotStatements = ReturnType<typeof prepareSnapshotStatements>;

/** Files of earlier versions get the tables now. On a full disk they last until the process ends. */
const createMemberIndexTables = (database: SqliteConnection): void => {
  try {
    database.exec(memberIndexLayout(''));
  } catch {
    database.exec(memberIndexLayout('TEMP'));
  }
};

export const openSnapshotDatabase = (file: string | Buffer): SqliteConnection => {
  const database = openSqlite(file, {
    layout: { version: LAYOUT_VERSION, sql: LAYOUT },
    locking: 'exclusive',
    pragmas: smallDevicePragmas,
  });
  if ((database.pragma('user_version', { simple: true }) as number) < LAYOUT_VERSION) {
    database.close();
    throw new DamagedDataError('The snapshot has no MAC');
  }
  createMemberIndexTables(database);
  database.exec('CREATE TEMP TABLE seen (type TEXT, id TEXT, PRIMARY KEY (type, id)) WITHOUT ROWID');
  return database;
};
