import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { isMissingOrUsableFile } from '@lintel/service/data-folder/damaged-file';
import type { FaultRegistry } from '@lintel/service/faults/fault-registry';
import { openSqlite, type SqliteConnection } from '@lintel/service/sqlite/open-sqlite';
import { classifyStorageError } from '@lintel/service/sqlite/storage-error';

const LAYOUT = `
  create table revocations (
    organization text not null, counter integer not null, revision integer not null, payload blob not null,
    primary key (organization, counter)
  );
  create table active_revisions (device text primary key, revision integer not null) without rowid;
`;

const MAX_STORED = 10_000;
const PROBE_BYTES = 64 * 1024;

const faultTexts = {
  full: 'The disk is full. New revocations reach the connected controllers, but are not kept for others',
  damaged: 'The stored revocations were damaged and replaced by none',
  failed: 'The store cannot be used. New revocations reach the connected controllers, but are not kept for others',
} as const;

/** Renames the damaged file for inspection, replacing an earlier one. */
const setAsideDamaged = (path: string): void => {
  for (const file of ['', '-wal', '-shm'].map(suffix => path + suffix)) {
    rmSync(`${file}.damaged`, { force: true, recursive: true });
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) renameSync(file, `${file}.damaged`);
  }
};

/**
 * Revocations signed by the bridge, for controllers that connect while the gateway is offline. A controller whose snapshot has a revision
 * has all revocations up to it. Revocations that every controller has are deleted. A failing disk is reported as a fault and
 * stops nothing.
 */
export class RevocationStore {
  readonly #path: string;
  readonly #organization: OrganizationId;
  readonly #faults: FaultRegistry;
  #database: SqliteConnection | null = null;

  /** A missing file is created, and a damaged one is set aside. Revocations of another organization, from an earlier claim, are deleted. */
  constructor(path: string, organization: OrganizationId, faults: FaultRegistry) {
    this.#path = path;
    this.#organization = organization;
    this.#faults = faults;
    this.#attempt(undefined, database => {
      database.prepare('delete from revocations where organization <> ?').run(organization);
    });
  }

  #attempt<T>(fallback: T, work: (database: SqliteConnection) => T): T {
    try {
      return work((this.#database ??= this.#open()));
    } catch (error) {
      const kind = classifyStorageError(error);
      if (kind !== 'damaged' || !this.#replaceDamaged())
        this.#faults.set('store', faultTexts[kind === 'full' ? 'full' : 'failed']);
      return fallback;
    }
  }

  #open(): SqliteConnection {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    // A power cut may take the newest revocations. The connected controllers have them.
    const options = { layout: { version: 1, sql: LAYOUT }, pragmas: { synchronous: 'NORMAL' } };
    try {
      return openSqlite(this.#path, options);
    } catch (error) {
      const isUsable = classifyStorageError(error) !== 'damaged' && isMissingOrUsableFile(this.#path);
      if (isUsable || !this.#replaceDamaged()) throw error;
      return openSqlite(this.#path, options);
    }
  }

  /** False when the disk does not allow it. */
  #replaceDamaged(): boolean {
    this.close();
    try {
      setAsideDamaged(this.#path);
    } catch {
      return false;
    }
    this.#faults.set('store_damaged', faultTexts.damaged);
    return true;
  }

  add(counter: number, revision: number, payload: Uint8Array): void {
    this.#attempt(undefined, database => {
      database
        .prepare('insert or replace into revocations (organization, counter, revision, payload) values (?, ?, ?, ?)')
        .run(this.#organization, counter, revision, payload);
      database.prepare('delete from revocations where counter <= ?').run(counter - MAX_STORED);
    });
  }

  /** The revision of the snapshot that the controller uses. */
  setActiveRevision(device: DeviceId, revision: number, site: ReadonlySet<DeviceId>): void {
    this.#attempt(undefined, database => {
      database
        .prepare(
          'insert into active_revisions (device, revision) values (?, ?) on conflict do update set revision = excluded.revision',
        )
        .run(device, revision);
      const rows = database.prepare('select device, revision from active_revisions').all() as {
        device: DeviceId;
        revision: number;
      }[];
      const known = new Map(rows.map(row => [row.device, row.revision]));
      const oldest = Math.min(...[...site].map(id => known.get(id) ?? -1));
      database.prepare('delete from revocations where revision <= ?').run(oldest);
    });
  }

  /** Revocations that the controller may lack, in order. */
  pendingFor(device: DeviceId): readonly Buffer[] {
    return this.#attempt([], database => {
      const row = database.prepare('select revision from active_revisions where device = ?').get(device);
      const { revision } = (row as { revision: number } | undefined) ?? { revision: -1 };
      const rows = database
        .prepare('select payload from revocations where revision > ? order by counter')
        .all(revision) as { payload: Buffer }[];
      return rows.map(({ payload }) => payload);
    });
  }

  /** 0 without revocations. */
  latestCounter(): number {
    return this.#attempt(0, database => {
      const row = database.prepare('select max(counter) as counter from revocations').get();
      return (row as { counter: number | null }).counter ?? 0;
    });
  }

  get count(): number {
    return this.#attempt(
      0,
      database => (database.prepare('select count(*) as count from revocations').get() as { count: number }).count,
    );
  }

  /** Called periodically while the fault `store` is shown. Writes as many bytes as a revocation takes and takes them back. */
  retry(): void {
    const isWorking = this.#attempt(false, database => {
      database.prepare("insert into revocations values ('', 0, 0, zeroblob(?))").run(PROBE_BYTES);
      database.prepare("delete from revocations where organization = ''").run();
      return true;
    });
    if (isWorking) this.#faults.clear('store');
  }

  close(): void {
    try {
      this.#database?.close();
    } catch {
      // Closing fails on a full disk, after the handle is gone.
    }
    this.#database = null;
  }
}
