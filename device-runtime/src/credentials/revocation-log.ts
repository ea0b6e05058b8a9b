import type { AccessIndex } from '@lintel/access-core/access-index/access-index';
import type { MemberId } from '@lintel/access-core/ids';
import {
  type RevocationMqttMessage,
  revocationMqttMessageSchema,
} from '@lintel/wire-protocol/mqtt/messages/revocation';
import * as z from 'zod';
import type { ControllerStateStore } from '../state/controller-state-keys.ts';
import type { DataAuthenticator } from '../state/data-authenticator.ts';
import { AuthenticatedRecord } from '../state/authenticated-record.ts';

const savedLog = z.object({
  /** Of the newest snapshot that was active; null: no stored snapshot can be trusted. */
  snapshot_revision: z.int().nullable(),
  revocations: z.array(revocationMqttMessageSchema),
});

const NO_SNAPSHOT = -1;

/**
 * Revocations that the snapshot does not contain yet, and the revision of the newest snapshot that was active. Both
 * survive restarts, in two copies with a MAC: an older snapshot or a damaged log must not make a revoked credential
 * valid.
 */
export class RevocationLog {
  readonly #record: AuthenticatedRecord;
  /** Whether a copy was lost and the other one is used. */
  readonly hasLostCopy: boolean;
  #snapshotRevision: number | null;
  #revocations: readonly RevocationMqttMessage[];
  #ids: ReadonlySet<string> = new Set();

  constructor(state: ControllerStateStore, authenticator: DataAuthenticator) {
    this.#record = new AuthenticatedRecord(state, authenticator, ['revocations', 'revocations_copy']);
    const saved = this.#record.read();
    const log = saved.kind === 'intact' ? savedLog.safeParse(saved.value).data : undefined;
    this.hasLostCopy = saved.kind === 'intact' && saved.lostCopy;
    this.#snapshotRevision = log?.snapshot_revision ?? (saved.kind === 'missing' ? NO_SNAPSHOT : null);
    this.#revocations = log?.revocations ?? [];
    this.#rebuildIndex();
    if (this.hasLostCopy) this.#save();
  }

  #rebuildIndex(): void {
    this.#ids = new Set(
      this.#revocations.flatMap(revoked => [
        ...revoked.member_ids,
        ...revoked.member_pin_ids,
        ...revoked.member_card_ids,
        ...revoked.member_token_ids,
        ...(revoked.member_magic_link_ids ?? []),
        ...revoked.member_group_association_ids,
      ]),
    );
  }

  #save(): void {
    this.#record.write(this.#content);
  }

  get #content() {
    return { snapshot_revision: this.#snapshotRevision, revocations: this.#revocations };
  }

  /** Whether revocations may have been lost. */
  get isDamaged(): boolean {
    return this.#snapshotRevision === null;
  }

  /** Of the newest snapshot that was active; -1 before the first one. */
  get newestRevision(): number {
    return this.#snapshotRevision ?? NO_SNAPSHOT;
  }

  /** Applies at once, even if it cannot be saved. */
  add(revoked: RevocationMqttMessage): void {
    this.#revocations = [...this.#revocations, revoked];
    this.#rebuildIndex();
    this.#save();
  }

  /** A snapshot of this revision is active. Drops the revocations that it contains. */
  snapshotApplied(revision: number): void {
    const remaining = this.#revocations.filter(revoked => revoked.revision > revision);
    if (remaining.length === this.#revocations.length && revision === this.#snapshotRevision) return;
    const replacesUnknown = this.isDamaged;
    this.#snapshotRevision = revision;
    this.#revocations = remaining;
    this.#rebuildIndex();
    // The snapshot contains what a log that cannot be read contains.
    if (replacesUnknown) this.#record.replace(this.#content);
    else this.#save();
  }

  /** For a new owner, who has no snapshot yet. */
  clear(): void {
    this.#snapshotRevision = NO_SNAPSHOT;
    this.#revocations = [];
    this.#rebuildIndex();
    this.#save();
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
