import { rmSync } from 'node:fs';
import type { RevocationHistory } from '@lintel/device-link/session/session-dependencies';
import { openSqlite, type SqliteConnection } from '@lintel/service/sqlite/open-sqlite';
import { smallDevicePragmas } from '@lintel/service/sqlite/small-device-pragmas';

const layout = {
  version: 1,
  sql: 'CREATE TABLE frames (id INTEGER PRIMARY KEY, organization_id TEXT NOT NULL, frame BLOB NOT NULL UNIQUE) STRICT',
};
const MOST_KEPT = 1_000;
/** So that a list fits into a message. */
const MOST_BYTES = 600_000;

/** This file has no checkpoints while the door is idle: with 8,000 pages its log grows to 32 MB, and each start reads it. */
const pragmas = { ...smallDevicePragmas, wal_autocheckpoint: 100 };

const open = (file: string): SqliteConnection => {
  const options = { layout, locking: 'exclusive', pragmas } as const;
  try {
    return openSqlite(file, options);
  } catch {
    try {
      for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
      return openSqlite(file, options);
    } catch {
      return openSqlite(':memory:', options);
    }
  }
};

/**
 * Keeps the newest revocations for a bridge that was restored from a backup. Access decisions do not use it: without a
 * disk, the other controllers of the organization still have them.
 */
export class SqliteRevocationHistory implements RevocationHistory {
  readonly #database: SqliteConnection;

  constructor(file: string) {
    this.#database = open(file);
  }

  add(organizationId: string, frame: Uint8Array): void {
    try {
      this.#database
        .prepare('INSERT OR IGNORE INTO frames (organization_id, frame) VALUES (?, ?)')
        .run(organizationId, frame);
      this.#database.prepare(`DELETE FROM frames WHERE id <= (SELECT max(id) FROM frames) - ${MOST_KEPT}`).run();
    } catch {
      // The revocation applies anyway.
    }
  }

  list(organizationId: string): readonly Uint8Array[] {
    try {
      const frames = this.#database
        .prepare<[string], Buffer>('SELECT frame FROM frames WHERE organization_id = ? ORDER BY id DESC')
        .pluck()
        .all(organizationId);
      let bytes = 0;
      return frames.filter(({ length }) => (bytes += length) <= MOST_BYTES);
    } catch {
      return [];
    }
  }

  /** After a claim: the revocations of an earlier owner name its members. Nothing of them stays in the file. */
  keepOnly(organizationId: string): void {
    try {
      const { changes } = this.#database.prepare('DELETE FROM frames WHERE organization_id <> ?').run(organizationId);
      if (changes === 0) return;
      this.#database.exec('VACUUM');
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // Tried again at the next start.
    }
  }

  close(): void {
    this.#database.close();
  }
}
