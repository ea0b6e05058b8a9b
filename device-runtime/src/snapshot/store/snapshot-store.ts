import { rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Slice } from '@lintel/wire-protocol/mqtt/messages/slice';
import type { SliceEntry, SliceKey } from '@lintel/wire-protocol/mqtt/slice-entry';
import { SliceDigest } from '@lintel/wire-protocol/mqtt/slice-digest';
import type { HeldSnapshot, Received, SnapshotChanges, SnapshotStore } from '../snapshot-store-port.ts';
import { readSqliteBytes } from '@lintel/service/sqlite/open-sqlite';
import { storageErrorKind } from '@lintel/service/sqlite/storage-error';
import { SliceTable } from './snapshot-table.ts';

/** Entries between two looks at the door. */
const AT_ONCE = 500;
/** More changes than that are not listed: the index is built anew. */
const MOST_LISTED = 20_000;

/** Which change a chunk belongs to. */
type Transfer = Pick<Slice, 'from' | 'to' | 'chunks' | 'digest' | 'digest_key_id'>;

const refused = (reason: Extract<Received, { kind: 'refused' }>['reason']): Received => ({ kind: 'refused', reason });

/** What has changed so far, given up when it is too much to list. */
class ChangeList {
  readonly #mostListed: number;
  #changes: { put: SliceEntry[]; drop: SliceKey[] } | null = { put: [], drop: [] };

  constructor(mostListed: number) {
    this.#mostListed = mostListed;
  }

  add(kind: 'put', one: SliceEntry): void;
  add(kind: 'drop', one: SliceKey): void;
  add(kind: 'put' | 'drop', one: SliceEntry & SliceKey): void {
    if (this.#changes === null) return;
    this.#changes[kind].push(one);
    if (this.#changes.put.length + this.#changes.drop.length > this.#mostListed) this.#changes = null;
  }

  get result(): SnapshotChanges | 'everything' {
    return this.#changes ?? 'everything';
  }
}

/** The slice in an SQLite file of its own, thrown away when it is damaged. */
export class SliceCache implements SnapshotStore {
  readonly #file: string;
  readonly #mostListed: number;
  #table: SliceTable;
  #isApplying = false;
  #isClosed = false;
  /** Told by the first load. */
  #wasUnreadable = false;

  /** `mostListed`: how many changes are listed at most; tests lower it. */
  constructor(file: string, { mostListed = MOST_LISTED }: { readonly mostListed?: number } = {}) {
    this.#file = file;
    this.#mostListed = mostListed;
    this.#table = this.#openOrBeginAnew();
  }

  #openOrBeginAnew(): SliceTable {
    try {
      return new SliceTable(this.#file);
    } catch (error) {
      // What is not damaged may be read again when the disk is better.
      if (storageErrorKind(error) !== 'damaged') return this.#copyInMemory();
      this.#wasUnreadable = true;
      return this.#beginAnew();
    }
  }

  /** A file system that is read-only still has what was written before. */
  #copyInMemory(): SliceTable {
    try {
      return new SliceTable(readSqliteBytes(this.#file));
    } catch {
      this.#wasUnreadable = true;
      return new SliceTable(':memory:');
    }
  }

  #beginAnew(): SliceTable {
    try {
      for (const suffix of ['', '-wal', '-shm']) rmSync(this.#file + suffix, { force: true });
      return new SliceTable(this.#file);
    } catch {
      // Without a disk the controller still serves what it is sent, until the power goes.
      return new SliceTable(':memory:');
    }
  }

  held(): HeldSnapshot | null {
    return this.#table.held();
  }

  load(take: (entry: SliceEntry) => void): boolean {
    if (this.#wasUnreadable) {
      this.#wasUnreadable = false;
      return false;
    }
    try {
      if (this.#table.load(take)) return true;
    } catch {
      // Damaged: below.
    }
    return this.#throwAway();
  }

  async loadBeside(take: (entry: SliceEntry) => void): Promise<boolean> {
    const table = this.#table;
    try {
      if (await table.loadBeside(take, AT_ONCE)) return true;
    } catch {
      // Damaged: below.
    }
    return table === this.#table && this.#throwAway();
  }

  #throwAway(): false {
    // What cannot be read because the controller has stopped is not damaged.
    if (this.#isClosed) return false;
    this.#table.close();
    this.#table = this.#beginAnew();
    return false;
  }

  forget(): void {
    // A change that is just being applied goes on with the table that it began with, and fails.
    this.#table.close();
    this.#table = this.#beginAnew();
  }

  underWay(): { readonly revision: number; readonly next_chunk: number } | null {
    const staged = this.#table.staged();
    return staged === null
      ? null
      : { revision: (JSON.parse(staged.transfer) as Transfer).to, next_chunk: staged.chunks };
  }

  async receive({ from, to, chunk, chunks, digest, digest_key_id, put, drop }: Slice): Promise<Received> {
    if (this.#isApplying) return refused('wrong_chunk');
    const transfer: Transfer = { from, to, chunks, digest, digest_key_id };
    const name = JSON.stringify(transfer);
    try {
      const staged = this.#table.staged();
      if (chunk === 0) this.#table.unstage();
      else if (staged?.transfer !== name || staged.chunks !== chunk) return refused('wrong_chunk');
      if (from !== null && from !== this.held()?.revision) return refused('wrong_base');
      this.#table.stage(chunk, name, JSON.stringify({ put, drop }));
      return chunk + 1 < chunks ? { kind: 'staged' } : await this.#applyStaged(transfer);
    } catch {
      return refused('storage_failed');
    }
  }

  async #applyStaged(transfer: Transfer): Promise<Received> {
    this.#isApplying = true;
    const table = this.#table;
    table.begin();
    try {
      const changes = new ChangeList(this.#mostListed);
      // A snapshot is summed up from nothing: it also heals a store that has drifted.
      const digest = new SliceDigest(transfer.from === null ? undefined : this.held()?.digest);
      for (let chunk = 0; chunk < transfer.chunks; chunk++)
        await this.#applyChunk(table, chunk, transfer, digest, changes);
      if (transfer.from === null) await this.#dropOthers(table, changes);
      if (digest.toString() !== transfer.digest) return this.#giveUp(table);
      const held = { revision: transfer.to, digest: transfer.digest, digest_key_id: transfer.digest_key_id };
      table.commit(held);
      return { kind: 'applied', held, changes: changes.result };
    } finally {
      table.rollBack();
      this.#isApplying = false;
    }
  }

  #giveUp(table: SliceTable): Received {
    table.rollBack();
    table.unstage();
    return refused('wrong_digest');
  }

  async #applyChunk(
    table: SliceTable,
    number: number,
    { from }: Transfer,
    digest: SliceDigest,
    changes: ChangeList,
  ): Promise<void> {
    const { put, drop } = JSON.parse(table.chunk(number)) as Pick<Slice, 'put' | 'drop'>;
    for (const [index, entry] of put.entries()) {
      if (index % AT_ONCE === 0) await setImmediate();
      const { now, before, isNew } = table.put(entry);
      if (isNew) changes.add('put', entry);
      digest.add(now);
      if (from === null) table.note(entry);
      else if (before !== null) digest.subtract(before);
    }
    for (const key of drop) {
      const before = table.drop(key);
      if (before === null) continue;
      digest.subtract(before);
      changes.add('drop', key);
    }
  }

  async #dropOthers(table: SliceTable, changes: ChangeList): Promise<void> {
    for (const [index, key] of table.notNoted().entries()) {
      if (index % AT_ONCE === 0) await setImmediate();
      table.drop(key);
      changes.add('drop', key);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#table.close();
  }
}
