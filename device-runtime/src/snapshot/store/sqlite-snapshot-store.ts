import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { MemberImageSection } from '@lintel/access-core/access-index/member-image';
import type { SnapshotChunkMqttMessage } from '@lintel/wire-protocol/mqtt/messages/snapshot-chunk';
import type { SnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { SnapshotDigest } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type {
  MemberIndexTarget,
  StoredSnapshot,
  SnapshotChunkResult,
  SnapshotStore,
} from '../snapshot-store-interface.ts';
import { readSqliteFileForMemory } from '@lintel/service/sqlite/open-sqlite';
import { classifyStorageError } from '@lintel/service/sqlite/storage-error';
import type { DataAuthenticator } from '../../state/data-authenticator.ts';
import { MemberIndexFile } from '../member-index-file/member-index-file.ts';
import { SnapshotChangeList } from './snapshot-change-list.ts';
import { SnapshotTable } from './snapshot-table.ts';

/** Entries per step, so that the door is not delayed. */
const BATCH = 500;
/** With more changes the index is rebuilt. */
const MOST_LISTED = 20_000;
/** With fewer members a start is fast without the file. */
const FEWEST_INDEXED_MEMBERS = 50_000;
/** With a larger share of changed members the member index is saved again. */
const MOST_CHANGED_MEMBERS = 0.02;

/** Identifies the transfer of a chunk. */
type TransferIdentity = Pick<SnapshotChunkMqttMessage, 'from' | 'to' | 'digest_key_id'>;

interface Transfer extends TransferIdentity {
  readonly chunks: number;
  readonly digest: string;
}

const isSameTransfer = (one: TransferIdentity, other: TransferIdentity): boolean =>
  one.from === other.from && one.to === other.to && one.digest_key_id === other.digest_key_id;

const refused = (reason: Extract<SnapshotChunkResult, { kind: 'refused' }>['reason']): SnapshotChunkResult => ({
  kind: 'refused',
  reason,
});

export interface SnapshotStoreOptions {
  /** How many changes are listed at most; tests lower it. */
  readonly mostListed?: number;
  /** With how many members the member index is saved; tests lower it. */
  readonly fewestIndexedMembers?: number;
  /** A member index that another version saved is not used. */
  readonly programVersion?: string;
}

/**
 * Stores the access snapshot in an SQLite file with a MAC. Data that does not verify is not used, and is replaced by the
 * next snapshot.
 */
export class SqliteSnapshotStore implements SnapshotStore {
  readonly #file: string;
  readonly #authenticator: DataAuthenticator;
  readonly #mostListed: number;
  readonly #fewestIndexedMembers: number;
  readonly #memberIndexFile: MemberIndexFile | null;
  #table: SnapshotTable;
  #isApplying = false;
  #isClosed = false;
  /** The first load reports it. */
  #wasUnreadable = false;
  /** The stored entries are not used. The file stays until a new snapshot arrives. */
  #isRejected = false;
  /** The next snapshot does not continue the one in memory, so its changes are no list of differences. */
  #hasLostBase = false;
  /** Changes with each change of the entries. */
  #changes = 0;
  #verification: Promise<boolean> = Promise.resolve(true);

  constructor(file: string, authenticator: DataAuthenticator, options: SnapshotStoreOptions = {}) {
    this.#file = file;
    this.#authenticator = authenticator;
    this.#mostListed = options.mostListed ?? MOST_LISTED;
    this.#fewestIndexedMembers = options.fewestIndexedMembers ?? FEWEST_INDEXED_MEMBERS;
    this.#memberIndexFile =
      file === ':memory:'
        ? null
        : new MemberIndexFile(join(dirname(file), 'member-index'), options.programVersion ?? '');
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
      this.#memberIndexFile?.remove();
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

  loadMemberIndex(target: MemberIndexTarget): boolean {
    try {
      const changes = this.#table.loadChangesSinceMemberIndex();
      if (changes === null) return false;
      const sections = this.#memberIndexFile?.read(changes.hash) ?? null;
      if (sections === null) {
        this.#table.forgetMemberIndex();
        return false;
      }
      target.importMembers(sections);
      for (const id of changes.droppedMembers) target.drop({ type: 'member', id });
      for (const entry of changes.put) target.put(entry);
      return true;
    } catch {
      // `load` reports it when the entries are damaged.
      return false;
    }
  }

  verifyInBackground(): Promise<boolean> {
    this.#verification = this.#loadInBackground(null);
    return this.#verification;
  }

  chooseMemberIndexAction(members: number): 'save' | 'delete' | 'none' {
    if (this.#isRejected || !this.#table.isVerified || this.#memberIndexFile === null) return 'none';
    const { changedShare } = this.#table;
    if (members < this.#fewestIndexedMembers) return changedShare === null ? 'none' : 'delete';
    return changedShare === null || changedShare > MOST_CHANGED_MEMBERS ? 'save' : 'none';
  }

  deleteMemberIndex(): void {
    try {
      this.#table.forgetMemberIndex();
      this.#memberIndexFile?.remove();
    } catch {
      // It is not used any more, and the next save replaces it.
    }
  }

  async saveMemberIndex(members: number, sections: Iterable<MemberImageSection>): Promise<boolean> {
    const table = this.#table;
    const changes = this.#changes;
    const isCurrent = (): boolean =>
      !this.#isClosed && !this.#isRejected && !this.#isApplying && table === this.#table && changes === this.#changes;
    try {
      if (this.#memberIndexFile === null || !isCurrent()) return false;
      const hash = await this.#memberIndexFile.write(sections, isCurrent);
      if (hash === null || !isCurrent()) return false;
      this.#memberIndexFile.activate();
      table.setMemberIndex(hash, members);
      return true;
    } catch {
      // A full or read-only disk. Without the file a start takes longer.
      return false;
    }
  }

  loadInBackground(take: (entry: SnapshotEntry) => void): Promise<boolean> {
    return this.#loadInBackground(take);
  }

  async #loadInBackground(take: ((entry: SnapshotEntry) => void) | null): Promise<boolean> {
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
      const { to } = JSON.parse(staged.transfer) as TransferIdentity;
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
    const identity: TransferIdentity = { from, to, digest_key_id };
    try {
      if (this.#isRejected && from === null && chunk === 0) {
        this.clear();
        this.#hasLostBase = true;
      }
      if (chunk === 0) this.#table.unstage();
      else if (!this.#isNextChunk(identity, chunk)) return refused('wrong_chunk');
      if (from !== null && from !== this.held()?.revision) return refused('wrong_base');
      this.#table.stage(chunk, JSON.stringify(identity), JSON.stringify({ put, drop }));
      if (chunks === null || digest === null || chunk + 1 < chunks) return { kind: 'staged' };
      return await this.#applyStaged({ ...identity, chunks, digest });
    } catch (error) {
      if (classifyStorageError(error) === 'damaged' && !this.#isClosed) this.reject();
      return refused('storage_failed');
    }
  }

  #isNextChunk(identity: TransferIdentity, chunk: number): boolean {
    const staged = this.#table.staged();
    if (staged?.chunks !== chunk) return false;
    return isSameTransfer(JSON.parse(staged.transfer) as TransferIdentity, identity);
  }

  async #applyStaged(transfer: Transfer): Promise<SnapshotChunkResult> {
    this.#isApplying = true;
    const table = this.#table;
    try {
      await this.#verification;
      if (this.#isRejected) return refused('storage_failed');
      this.#changes += 1;
      table.begin();
      const changes = new SnapshotChangeList(this.#mostListed);
      // A full snapshot starts from an empty digest, which also repairs a wrong store.
      const digest = new SnapshotDigest(transfer.from === null ? undefined : this.held()?.digest);
      for (let chunk = 0; chunk < transfer.chunks; chunk++)
        await this.#applyChunk(table, chunk, transfer, digest, changes);
      if (transfer.from === null) await this.#dropUnseen(table, changes);
      if (digest.toString() !== transfer.digest) return this.#rejectDigest(table);
      const held = { revision: transfer.to, digest: transfer.digest, digest_key_id: transfer.digest_key_id };
      table.commit(held);
      const result = this.#hasLostBase ? 'everything' : changes.result;
      this.#hasLostBase = false;
      return { kind: 'applied', held, changes: result };
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
    changes: SnapshotChangeList,
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

  async #dropUnseen(table: SnapshotTable, changes: SnapshotChangeList): Promise<void> {
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
