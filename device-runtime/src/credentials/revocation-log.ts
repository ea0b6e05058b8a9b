import type { AccessIndex } from '@lintel/access-core/access-index/access-index';
import type { MemberId } from '@lintel/access-core/ids';
import { type Revoke, revoke } from '@lintel/wire-protocol/mqtt/messages/revoke';
import type { StateStore } from '../state/state-store.ts';

/** Words of revocation that the snapshot does not contain yet. They hold over restarts, until it does. */
export class RevocationLog {
  readonly #state: StateStore;
  #kept: readonly Revoke[];
  #ids: ReadonlySet<string> = new Set();

  constructor(state: StateStore) {
    this.#state = state;
    const saved = state.read('revocations');
    this.#kept = Array.isArray(saved) ? saved.flatMap(one => revoke.safeParse(one).data ?? []) : [];
    this.#index();
  }

  #index(): void {
    this.#ids = new Set(
      this.#kept.flatMap(one => [
        ...one.member_ids,
        ...one.member_pin_ids,
        ...one.member_card_ids,
        ...one.member_token_ids,
        ...one.member_group_association_ids,
      ]),
    );
  }

  /** In force at once, also when it cannot be saved. */
  add(revoked: Revoke): void {
    this.#kept = [...this.#kept, revoked];
    this.#index();
    this.#state.write('revocations', this.#kept);
  }

  /** A snapshot of this revision contains those up to it. */
  settledBy(revision: number): void {
    const kept = this.#kept.filter(one => one.revision > revision);
    if (kept.length === this.#kept.length) return;
    this.#kept = kept;
    this.#index();
    this.#state.write('revocations', kept);
  }

  /** Words of another organization. */
  forget(): void {
    this.#kept = [];
    this.#index();
    this.#state.write('revocations', []);
  }

  get count(): number {
    return this.#kept.length;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Takes revoked associations out of a member, so that another one may still grant. */
  trim(index: AccessIndex, id: MemberId): void {
    const member = index.member(id);
    if (member === undefined) return;
    const group_associations = member.group_associations.filter(association => !this.has(association.id));
    index.apply({ type: 'member', put: { ...member, group_associations } });
  }
}
