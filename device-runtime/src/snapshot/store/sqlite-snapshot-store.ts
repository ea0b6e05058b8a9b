import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotEntry, SnapshotEntryKey } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { SnapshotDigest } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type {
  StoredSnapshot,
  SnapshotChunkResult,
  SnapshotChanges,
  SnapshotStore,
} from '../snapshot-store-interface.ts';
import { readSqliteFileForMemory } from '@lintel/service/sqlite/open-sqlite';
import { classifyStorageError } from '@lintel/service/sqlite/storage-error';
import type { DataAuthenticator } from '../../state/data-authenticator.ts';
import { SnapshotTable } from './snapshot-table.ts';

/** Entries per step, so that the door is not delayed. */
const BATCH = 500;
/** With more changes the index is rebuilt. */
const MOST_LISTED = 20_000;

/** Identifies the transfer of a chunk. */
type Transfer = Pick<SnapshotChunkMqttMessage, 'from' | 'to' | 'chunks' | 'digest' | 'digest_key_id'>;

const refused = (reason: Extract<SnapshotChunkResult, { kind: 'refused' }>['reason']): SnapshotChunkResult => ({
  kind: 'refused',
  reason,
});

/** Collects changes until there are too many to list. */
class ChangeList {
  readonly #mostListed: number;
  #changes: { put: SnapshotEntry[]; drop: SnapshotEntryKey[] } | null = { put: [], drop: [] };

  constructor(mostListed: number) {
    this.#mostListed = mostListed;
  }

  add(kind: 'put', one: SnapshotEntry): void;
  add(kind: 'drop', one: SnapshotEntryKey): void;
  add(kind: 'put' | 'drop', one: SnapshotEntry & SnapshotEntryKey): void {
    if (this.#changes === null) return;
    this.#changes[kind].push(one);
    if (this.#changes.put.length + this.#changes.drop.length > this.#mostListed) this.#changes = null;
  }

  get result(): SnapshotChanges | 'everything' {
    return this.#changes ?? 'everything';
  }
}

/**
 * Stores the access snapshot in an SQLite file with a MAC. Data that does not verify is not used, and is replaced by the
 * next snapshot.
 */
export class SqliteSnapshotStore implements SnapshotStore {
  readonly #file: string;
  readonly #authenticator: DataAuthenticator;
  readonly #mostListed: number;
  #table: SnapshotTable;
  #isApplying = false;
  #isClosed = false;
  /** The first load reports it. */
  #wasUnreadable = false;
  /** The stored entries are not used. The file stays until a new snapshot arrives. */
  #isRejected = false;

  /** `mostListed`: how many changes are listed at most; tests lower it. */
  constructor(
    file: string,
    authenticator: DataAuthenticator,
    { mostListed = MOST_LISTED }: { readonly mostListed?: number } = {},
  ) {
    this.#file = file;
    this.#authenticator = authenticator;
    this.#mostListed = mostListed;
    this.#table = this.#openOrRecreate();
  }

  #openOrRecreate(): SnapshotTable {
    try {
      return new SnapshotTable(this.#file, this.#authenticator);
    } catch (error) {
      // An intact file may become readable again.
      if (classifyStorageError(error) !== 'damaged') return this.#copyInMemory();
      this.#wasUnreadable = true;
      return this.#recreate();
    }
  }

  /** A read-only file system still has the data. */
  #copyInMemory(): SnapshotTable {
    try {
      return new SnapshotTable(readSqliteFileForMemory(this.#file), this.#authenticator);
    } catch {
      this.#wasUnreadable = true;
      return new SnapshotTable(':memory:', this.#authenticator);
    }
  }

  #recreate(): SnapshotTable {
    try {
      for (const suffix of ['', '-wal', '-shm']) rmSync(this.#file + suffix, { force: true });
      return new SnapshotTable(this.#file, this.#authenticator);
    } catch {
      // Without a disk the snapshot lasts until the power fails.
      return new SnapshotTable(':memory:', this.#authenticator);
    }
  }

  held(): StoredSnapshot | null {
    return this.#read(() => this.#table.held());
  }

  /** Null when the file is damaged. */
  #read<T>(work: () => T): T | null {
    if (this.#isRejected) return null;
    try {
      return work();
    } catch (error) {
      if (classifyStorageError(error) !== 'damaged') throw error;
      this.reject();
      return null;
    }
  }

  load(take: (entry: SnapshotEntry) => void): boolean {
    if (this.#wasUnreadable) {
      this.#wasUnreadable = false;
      return false;
    }
    try {
      if (this.#table.load(take)) return true;
    } catch {
      // Damaged.
    }
    this.reject();
    return false;
  }

  async loadInBackground(take: (entry: SnapshotEntry) => void): Promise<boolean> {
    const table = this.#table;
    try {
      if (await table.loadInBackground(take, BATCH)) return true;
    } catch {
      // Damaged, or already closed.
    }
    if (table === this.#table && !this.#isClosed) this.reject();
    return false;
  }

  reject(): void {
    this.#isRejected = true;
  }

  clear(): void {
    // A transfer in progress fails on its closed table.
    this.#table.close();
    this.#table = this.#recreate();
    this.#isRejected = false;
  }

  pendingTransfer(): { readonly revision: number; readonly next_chunk: number } | null {
    return this.#read(() => {
      const staged = this.#table.staged();
      if (staged === null) return null;
      const { to } = JSON.parse(staged.transfer) as Transfer;
      return { revision: to, next_chunk: staged.chunks };
    });
  }

  async receive({
    from,
    to,
    chunk,
    chunks,
    digest,
    digest_key_id,
    put,
    drop,
  }: SnapshotChunkMqttMessage): Promise<SnapshotChunkResult> {
    if (this.#isApplying) return refused('wrong_chunk');
    const transfer: Transfer = { from, to, chunks, digest, digest_key_id };
    const name = JSON.stringify(transfer);
    try {
      if (this.#isRejected && from === null && chunk === 0) this.clear();
      const staged = this.#table.staged();
      if (chunk === 0) this.#table.unstage();
      else if (staged?.transfer !== name || staged.chunks !== chunk) return refused('wrong_chunk');
      if (from !== null && from !== this.held()?.revision) return refused('wrong_base');
      this.#table.stage(chunk, name, JSON.stringify({ put, drop }));
      return chunk + 1 < chunks ? { kind: 'staged' } : await this.#applyStaged(transfer);
    } catch (error) {
      if (classifyStorageError(error) === 'damaged' && !this.#isClosed) this.reject();
      return refused('storage_failed');
    }
  }

  async #applyStaged(transfer: Transfer): Promise<SnapshotChunkResult> {
    this.#isApplying = true;
    const table = this.#table;
    table.begin();
    try {
      const changes = new ChangeList(this.#mostListed);
      // A full snapshot starts from an empty digest, which also repairs a wrong store.
      const digest = new SnapshotDigest(transfer.from === null ? undefined : this.held()?.digest);
      for (let chunk = 0; chunk < transfer.chunks; chunk++)
        await this.#applyChunk(table, chunk, transfer, digest, changes);
      if (transfer.from === null) await this.#dropUnseen(table, changes);
      if (digest.toString() !== transfer.digest) return this.#rejectDigest(table);
      const held = { revision: transfer.to, digest: transfer.digest, digest_key_id: transfer.digest_key_id };
      table.commit(held);
      return { kind: 'applied', held, changes: changes.result };
    } finally {
      table.rollBack();
      this.#isApplying = false;
    }
  }

  #rejectDigest(table: SnapshotTable): SnapshotChunkResult {
    table.rollBack();
    table.unstage();
    return refused('wrong_digest');
  }

  async #applyChunk(
    table: SnapshotTable,
    number: number,
    { from }: Transfer,
    digest: SnapshotDigest,
    changes: ChangeList,
  ): Promise<void> {
    const { put, drop } = JSON.parse(table.chunk(number)) as Pick<SnapshotChunkMqttMessage, 'put' | 'drop'>;
    for (const [index, entry] of put.entries()) {
      if (index % BATCH === 0) await setImmediate();
      const { now, before, isNew } = table.put(entry);
      if (isNew) changes.add('put', entry);
      digest.add(now);
      if (from === null) table.markSeen(entry);
      else if (before !== null) digest.subtract(before);
    }
    for (const key of drop) {
      const before = table.drop(key);
      if (before === null) continue;
      digest.subtract(before);
      changes.add('drop', key);
    }
  }

  async #dropUnseen(table: SnapshotTable, changes: ChangeList): Promise<void> {
    for (const [index, key] of table.listUnseen().entries()) {
      if (index % BATCH === 0) await setImmediate();
      table.drop(key);
      changes.add('drop', key);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#table.close();
  }
}
