import type { AccessIndex } from '@lintel/access-core/access-index/access-index';
import type { MemberId } from '@lintel/access-core/ids';
import { type RevocationMessage, revocationMessage } from '@lintel/wire-protocol/mqtt/messages/revoke';
import type { ControllerStateStore } from '../state/controller-state-store.ts';

/** Revocations that the snapshot does not contain yet. They survive restarts. */
export class RevocationLog {
  readonly #state: ControllerStateStore;
  #revocations: readonly RevocationMessage[];
  #ids: ReadonlySet<string> = new Set();

  constructor(state: ControllerStateStore) {
    this.#state = state;
    const saved = state.read('revocations');
    this.#revocations = Array.isArray(saved) ? saved.flatMap(one => revocationMessage.safeParse(one).data ?? []) : [];
    this.#rebuildIndex();
  }

  #rebuildIndex(): void {
    this.#ids = new Set(
      this.#revocations.flatMap(revoked => [
        ...revoked.member_ids,
        ...revoked.member_pin_ids,
        ...revoked.member_card_ids,
        ...revoked.member_token_ids,
        ...revoked.member_group_association_ids,
      ]),
    );
  }

  /** Applies at once, even if it cannot be saved. */
  add(revoked: RevocationMessage): void {
    this.#revocations = [...this.#revocations, revoked];
    this.#rebuildIndex();
    this.#state.write('revocations', this.#revocations);
  }

  /** Drops revocations that a snapshot of this revision contains. */
  dropUpTo(revision: number): void {
    const remaining = this.#revocations.filter(revoked => revoked.revision > revision);
    if (remaining.length === this.#revocations.length) return;
    this.#revocations = remaining;
    this.#rebuildIndex();
    this.#state.write('revocations', remaining);
  }

  clear(): void {
    this.#revocations = [];
    this.#rebuildIndex();
    this.#state.write('revocations', []);
  }

  get count(): number {
    return this.#revocations.length;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Removes revoked associations from a member, so that another one can still grant access. */
  removeRevokedAssociations(index: AccessIndex, id: MemberId): void {
    const member = index.member(id);
    if (member === undefined) return;
    const group_associations = member.group_associations.filter(association => !this.has(association.id));
    index.apply({ type: 'member', put: { ...member, group_associations } });
  }
}
