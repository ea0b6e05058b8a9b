import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type {
  SnapshotEntry,
  SnapshotEntryKey,
  SnapshotEntryOfKnownType,
} from '@lintel/wire-protocol/mqtt/snapshot-entry';
import { hashSnapshotEntry } from '@lintel/wire-protocol/mqtt/snapshot-digest';
import type { SqliteConnection } from '@lintel/service/sqlite/open-sqlite';
import { DamagedDataError } from '@lintel/service/sqlite/storage-error';
import type { DataAuthenticator, KeyedSetHash } from '../../state/data-authenticator.ts';
import type { StoredSnapshot } from '../snapshot-store-interface.ts';
import { ChangedMembers, describeDroppedMember } from './changed-members.ts';
import {
  openSnapshotDatabase,
  prepareSnapshotStatements,
  type SnapshotStatements,
  type StoredEntryWithKey,
  type StoredMemberIndex,
} from './snapshot-database.ts';

const MAC_PURPOSE = 'access snapshot';
const INDEX_MAC_PURPOSE = 'member index';
const MEMBER: SnapshotEntryOfKnownType['type'] = 'member';

interface EncodedEntry {
  readonly hash: Uint8Array;
  readonly body: string;
}

const encodeEntry = (entry: SnapshotEntry): EncodedEntry => {
  let body = '';
  const hashed = hashSnapshotEntry(entry, bytes => {
    body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return hash('sha256', bytes, 'buffer');
  });
  return { hash: hashed, body };
};

/** Keyed sums of the entries. */
interface EntrySums {
  readonly all: KeyedSetHash;
  readonly nonMembers: KeyedSetHash;
}

/** One at a time, to save memory. */
function* parseEntries(bodies: readonly string[]): Generator<SnapshotEntry> {
  for (const body of bodies) yield JSON.parse(body) as SnapshotEntry;
}

/** What a member index file needs to become the current snapshot. */
export interface ChangesSinceMemberIndex {
  readonly hash: string;
  readonly put: Iterable<SnapshotEntry>;
  readonly droppedMembers: readonly string[];
}

/** A snapshot file. Methods throw errors of SQLite. */
export class SnapshotTable {
  readonly #database: SqliteConnection;
  readonly #statements: SnapshotStatements;
  readonly #authenticator: DataAuthenticator;
  /** Of the committed entries; null until they are read. */
  #sums: EntrySums | null = null;
  #changed: ChangedMembers;
  /** Of the current transaction. */
  #newSums: EntrySums;
  #newChanged: ChangedMembers;

  constructor(file: string | Buffer, authenticator: DataAuthenticator) {
    this.#authenticator = authenticator;
    this.#newSums = this.#emptySums();
    this.#changed = ChangedMembers.withoutIndex(authenticator);
    this.#newChanged = this.#changed;
    this.#database = openSnapshotDatabase(file);
    this.#statements = prepareSnapshotStatements(this.#database);
  }

  held(): StoredSnapshot | null {
    return this.#statements.held.get() ?? null;
  }

  #emptySums(): EntrySums {
    return { all: this.#authenticator.emptySum(), nonMembers: this.#authenticator.emptySum() };
  }

  #authenticatedText({ revision, digest, digest_key_id }: StoredSnapshot, { all }: EntrySums): string {
    return JSON.stringify([revision, digest, digest_key_id, all.toString()]);
  }

  /** The members of the index file, the changed members and all other entries are the whole snapshot. */
  #authenticatedIndexText(
    { revision, digest, digest_key_id }: StoredSnapshot,
    { hash: indexHash, members }: Pick<StoredMemberIndex, 'hash' | 'members'>,
    { nonMembers, changed }: { readonly nonMembers: KeyedSetHash; readonly changed: string },
  ): string {
    return JSON.stringify([revision, digest, digest_key_id, indexHash, members, nonMembers.toString(), changed]);
  }

  /** False when the entries or their revision are not those that were committed. */
  load(take: (entry: SnapshotEntry) => void): boolean {
    const sums = this.#emptySums();
    for (const row of this.#statements.all.iterate()) {
      this.#add(sums, row);
      take(JSON.parse(row.body) as SnapshotEntry);
    }
    return this.#verify(sums);
  }

  /** Like `load`, in steps. Without `take` only verifies. */
  async loadInBackground(take: ((entry: SnapshotEntry) => void) | null, atOnce: number): Promise<boolean> {
    const sums = this.#emptySums();
    let last: SnapshotEntryKey | undefined = { type: '', id: '' };
    while (last !== undefined) {
      const page: StoredEntryWithKey[] = this.#statements.page.all(last.type, last.id, atOnce);
      for (const row of page) {
        this.#add(sums, row);
        take?.(JSON.parse(row.body) as SnapshotEntry);
      }
      last = page.at(-1);
      await setImmediate();
    }
    return this.#verify(sums);
  }

  #add(sums: EntrySums, { type, body }: Pick<StoredEntryWithKey, 'type' | 'body'>): void {
    sums.all.add(body);
    if (type !== MEMBER) sums.nonMembers.add(body);
  }

  #verify(sums: EntrySums): boolean {
    const held = this.held();
    const isIntact =
      held === null
        ? sums.all.toString() === this.#authenticator.emptySum().toString()
        : this.#authenticator.isValid(MAC_PURPOSE, this.#authenticatedText(held, sums), this.#statements.seal.get());
    if (isIntact) this.#sums = sums;
    return isIntact;
  }

  /** Null when there is no saved member index, or when its entries are not those that were committed. */
  loadChangesSinceMemberIndex(): ChangesSinceMemberIndex | null {
    const held = this.held();
    const index = this.#statements.memberIndex.get();
    if (held === null || index === undefined) return null;
    const nonMembers = this.#authenticator.emptySum();
    const bodies: string[] = [];
    for (const body of this.#statements.nonMembers.iterate()) {
      nonMembers.add(body);
      bodies.push(body);
    }
    const sum = this.#authenticator.emptySum();
    const droppedMembers: string[] = [];
    let count = 0;
    for (const { id, body } of this.#statements.changedMembers.iterate()) {
      sum.add(body ?? describeDroppedMember(id));
      if (body === null) droppedMembers.push(id);
      else bodies.push(body);
      count += 1;
    }
    const changed = new ChangedMembers(index.hash, { members: index.members, sum, count });
    const text = this.#authenticatedIndexText(held, index, { nonMembers, changed: changed.sum });
    if (!this.#authenticator.isValid(INDEX_MAC_PURPOSE, text, index.seal)) return null;
    this.#changed = changed;
    return { hash: index.hash, put: parseEntries(bodies), droppedMembers };
  }

  /** The entries are verified. */
  get isVerified(): boolean {
    return this.#sums !== null;
  }

  /** Share of the members that have changed since the member index was saved; null without a saved index. */
  get changedShare(): number | null {
    return this.#changed.hasIndex ? this.#changed.share : null;
  }

  /** The file with this hash contains exactly the current members. Only for verified entries. */
  setMemberIndex(indexHash: string, members: number): void {
    this.#database.transaction(() => {
      this.#statements.forgetChanged.run();
      const changed = new ChangedMembers(indexHash, { members, sum: this.#authenticator.emptySum(), count: 0 });
      this.#saveMemberIndex(this.held()!, this.#sums!, changed);
      this.#changed = changed;
    })();
    this.#emptyLog();
  }

  forgetMemberIndex(): void {
    this.#changed = ChangedMembers.withoutIndex(this.#authenticator);
    this.#statements.dropMemberIndex.run();
    this.#statements.forgetChanged.run();
  }

  #saveMemberIndex(held: StoredSnapshot, { nonMembers }: EntrySums, changed: ChangedMembers): void {
    const { index } = changed;
    if (index === null) {
      this.#statements.dropMemberIndex.run();
      this.#statements.forgetChanged.run();
      return;
    }
    const text = this.#authenticatedIndexText(held, index, { nonMembers, changed: changed.sum });
    const seal = this.#authenticator.create(INDEX_MAC_PURPOSE, text);
    this.#statements.setMemberIndex.run(index.hash, index.members, seal);
  }

  begin(): void {
    // Verified before, unless this is the first use of a file.
    if (this.#sums === null && !this.load(() => undefined)) throw new DamagedDataError('The snapshot does not verify');
    this.#database.exec('BEGIN IMMEDIATE');
    this.#newSums = { all: this.#sums!.all.copy(), nonMembers: this.#sums!.nonMembers.copy() };
    this.#newChanged = this.#changed.copy();
  }

  commit(held: StoredSnapshot): void {
    const seal = this.#authenticator.create(MAC_PURPOSE, this.#authenticatedText(held, this.#newSums));
    this.#statements.hold.run(held.revision, held.digest, held.digest_key_id, seal);
    this.#saveMemberIndex(held, this.#newSums, this.#newChanged);
    this.#statements.unstage.run();
    this.#statements.forget.run();
    this.#database.exec('COMMIT');
    this.#sums = this.#newSums;
    this.#changed = this.#newChanged;
    this.#emptyLog();
  }

  /** SQLite ignores a damaged write-ahead log and continues with the state before it. An empty log cannot be damaged. */
  #emptyLog(): void {
    try {
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // On a full disk the log keeps the data. If it is damaged later, the recorded revision reveals the older snapshot.
    }
  }

  rollBack(): void {
    if (this.#database.open && this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  /** Returns the new and the previous hash, which are equal when nothing changed. */
  put(entry: SnapshotEntry): { readonly now: Uint8Array; readonly before: Uint8Array | null; readonly isNew: boolean } {
    const { hash: now, body } = encodeEntry(entry);
    const stored = this.#statements.find.get(entry.type, entry.id);
    if (stored?.hash.equals(now) === true) return { now, before: stored.hash, isNew: false };
    this.#recordChange(entry, stored?.body ?? null, body);
    this.#statements.put.run(entry.type, entry.id, now, body);
    return { now, before: stored?.hash ?? null, isNew: true };
  }

  /** Returns the previous hash; null when there was no entry. */
  drop({ type, id }: SnapshotEntryKey): Uint8Array | null {
    const stored = this.#statements.drop.get(type, id);
    if (stored !== undefined) this.#recordChange({ type, id }, stored.body, null);
    return stored?.hash ?? null;
  }

  #recordChange({ type, id }: SnapshotEntryKey, before: string | null, now: string | null): void {
    const sums = type === MEMBER ? [this.#newSums.all] : [this.#newSums.all, this.#newSums.nonMembers];
    for (const sum of sums) {
      if (before !== null) sum.subtract(before);
      if (now !== null) sum.add(now);
    }
    if (type === MEMBER) this.#newChanged.record(id, before, now, this.#statements);
  }

  /** Marks an entry as part of the new snapshot. */
  markSeen({ type, id }: SnapshotEntryKey): void {
    this.#statements.note.run(type, id);
  }

  listUnseen(): SnapshotEntryKey[] {
    return this.#statements.unseen.all();
  }

  stage(chunk: number, transfer: string, body: string): void {
    this.#statements.stage.run(chunk, transfer, body);
  }

  staged(): { readonly transfer: string; readonly chunks: number } | null {
    return this.#statements.staged.get() ?? null;
  }

  chunk(number: number): string {
    return this.#statements.chunk.get(number)?.body ?? 'null';
  }

  unstage(): void {
    this.#statements.unstage.run();
  }

  close(): void {
    this.#database.close();
  }
}
