import type { DataAuthenticator, KeyedSetHash } from '../../state/data-authenticator.ts';
import type { SnapshotStatements } from './snapshot-database.ts';

/** With a larger share of changed members, it is faster to forget the saved index than to list them. */
const MOST_CHANGED = 0.1;

/** Never the body of an entry, which begins with a brace. */
export const describeDroppedMember = (id: string): string => `dropped ${id}`;

/**
 * The members that have changed since the member index was saved. Their sum covers the current body of each of them, or
 * that it was dropped.
 */
export class ChangedMembers {
  /** Hash of the saved index; null when there is none. */
  #indexHash: string | null;
  readonly #members: number;
  readonly #sum: KeyedSetHash;
  #count: number;

  constructor(
    indexHash: string | null,
    state: { readonly members: number; readonly sum: KeyedSetHash; readonly count: number },
  ) {
    this.#indexHash = indexHash;
    this.#members = state.members;
    this.#sum = state.sum;
    this.#count = state.count;
  }

  static withoutIndex(authenticator: DataAuthenticator): ChangedMembers {
    return new ChangedMembers(null, { members: 0, sum: authenticator.emptySum(), count: 0 });
  }

  copy(): ChangedMembers {
    return new ChangedMembers(this.#indexHash, { members: this.#members, sum: this.#sum.copy(), count: this.#count });
  }

  get hasIndex(): boolean {
    return this.#indexHash !== null;
  }

  /** Share of the members in the saved index. */
  get share(): number {
    return this.#count / Math.max(1, this.#members);
  }

  get index(): { readonly hash: string; readonly members: number } | null {
    return this.#indexHash === null ? null : { hash: this.#indexHash, members: this.#members };
  }

  get sum(): string {
    return this.#sum.toString();
  }

  /** A body is null when the member did not or does not exist. In the transaction of the change. */
  record(id: string, before: string | null, now: string | null, statements: SnapshotStatements): void {
    if (this.#indexHash === null) return;
    if (statements.updateChangedMember.run(now, id).changes > 0)
      this.#sum.subtract(before ?? describeDroppedMember(id));
    else {
      statements.addChangedMember.run(id, now);
      this.#count += 1;
    }
    this.#sum.add(now ?? describeDroppedMember(id));
    if (this.share > MOST_CHANGED) this.#indexHash = null;
  }
}
