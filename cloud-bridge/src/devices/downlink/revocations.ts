import type { OrganizationId } from '@lintel/access-core/ids';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { Revoke } from '@lintel/wire-protocol/mqtt/messages/revoke';
import { encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { revokeTopic } from '@lintel/wire-protocol/mqtt/topics';
import { type Kysely, sql } from 'kysely';
import { isAmong } from '../../queries/conditions.ts';
import type { Services } from '../../services.ts';
import type { Database, EventRow } from '../../storage/schema.ts';
import type { RecordedJournal } from '../../transactions/journal.ts';
import type { DeviceTransport } from '../transport/device-transport.ts';
import type { OrganizationSigners } from './organization-signers.ts';

const kinds = ['member', 'member_pin', 'member_card', 'member_token', 'member_group_association'] as const;
type RevokedKind = (typeof kinds)[number];
type RevokedIds = Record<RevokedKind, Set<string>>;

/** As many as one message holds of each kind. */
const MOST_IDS = 1000;

const noIds = (): RevokedIds => ({
  member: new Set(),
  member_pin: new Set(),
  member_card: new Set(),
  member_token: new Set(),
  member_group_association: new Set(),
});

/** What the log says was deleted. */
const deletedBy = (events: readonly EventRow[]): RevokedIds => {
  const ids = noIds();
  for (const event of events) {
    const kind = kinds.find(one => one === event.object_type);
    const id = kind === undefined ? null : event[`object_${kind}_id`];
    if (event.verb === 'delete' && kind !== undefined && id !== null) ids[kind].add(id);
  }
  return ids;
};

const idsOf = (events: readonly EventRow[], verb: string, type: 'member' | 'card'): string[] =>
  events.flatMap(event =>
    event.verb === verb && event.object_type === type ? (event[`object_${type}_id`] ?? []) : [],
  );

interface Pending {
  readonly counter: number;
  readonly message: Revoke;
}

interface RevocationParts {
  readonly services: Pick<Services, 'storage' | 'writer' | 'clock'>;
  readonly transport: DeviceTransport;
  readonly signers: OrganizationSigners;
  readonly onError: (error: unknown) => void;
}

/**
 * Says at once what no longer opens anything, to all controllers of the organization in one signed message, ahead of the
 * slices that will say it again. Numbered without a gap in the order of commits, so that a controller notices what was
 * kept from it.
 */
export class Revocations {
  readonly #parts: RevocationParts;
  readonly #pending = new Map<string, Pending[]>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(parts: RevocationParts) {
    this.#parts = parts;
    const { writer } = parts.services;
    writer.onRecorded((db, recorded) => this.#number(db, recorded));
    writer.onCommitted(recorded => this.#publish(recorded));
  }

  /** Within the transaction: a revocation has its number if and only if it is committed. */
  async #number(db: Kysely<Database>, { organizationId, events, revision, changed }: RecordedJournal): Promise<void> {
    const key = `${organizationId} ${revision}`;
    // Left by a commit that failed, whose revision this one has got.
    this.#pending.delete(key);
    if (!changed) return;
    const ids = deletedBy(events);
    for (const id of await this.#endedMembers(db, idsOf(events, 'edit', 'member'))) ids.member.add(id);
    for (const id of await this.#heldCards(db, idsOf(events, 'delete', 'card'))) ids.member_card.add(id);
    const messages = messagesOf(ids, revision);
    if (messages.length === 0) return;
    const row = await db
      .updateTable('organization_keys')
      .set({ revoke_counter: sql<number>`revoke_counter + ${messages.length}` })
      .where('organization_id', '=', organizationId)
      .returning('revoke_counter')
      .executeTakeFirst();
    // Without a key no controller has been claimed yet.
    if (row === undefined) return;
    const first = row.revoke_counter - messages.length + 1;
    const numbered = messages.map((message, index) => ({ counter: first + index, message }));
    this.#pending.set(key, numbered);
  }

  /** Whose dates were changed so that they have no access now. */
  async #endedMembers(db: Kysely<Database>, edited: readonly string[]): Promise<string[]> {
    if (edited.length === 0) return [];
    const { storage, clock } = this.#parts.services;
    const now = clock();
    const { rows } = await sql<{ id: string }>`select m.id from members as m
      where ${isAmong(storage.engine, sql`m.id`, edited)} and (m.ends_at <= ${now} or m.starts_at > ${now})`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  }

  async #heldCards(db: Kysely<Database>, cards: readonly string[]): Promise<string[]> {
    if (cards.length === 0) return [];
    const { rows } = await sql<{ id: string }>`select h.id from member_cards as h
      where ${isAmong(this.#parts.services.storage.engine, sql`h.card_id`, cards)} and h.is_deleted = 0`.execute(db);
    return rows.map(({ id }) => id);
  }

  #publish({ organizationId, revision }: RecordedJournal): void {
    const key = `${organizationId} ${revision}`;
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    this.#pending.delete(key);
    const before = this.#sending.get(organizationId) ?? Promise.resolve();
    const sending = before
      .then(() => this.#send(organizationId as OrganizationId, pending))
      .catch(this.#parts.onError)
      .finally(() => {
        if (this.#sending.get(organizationId) === sending) this.#sending.delete(organizationId);
      });
    this.#sending.set(organizationId, sending);
  }

  /** Everything that was revoked so far is on its way to every controller. */
  async sent(organizationId: string): Promise<void> {
    await this.#sending.get(organizationId);
  }

  async #send(organizationId: OrganizationId, pending: readonly Pending[]): Promise<void> {
    const { transport, signers } = this.#parts;
    const { sign } = await signers.of(organizationId);
    for (const { counter, message } of pending) {
      const header = { v: 1, kind: 'revoke', signer: organizationId, audience: organizationId, serial: '' } as const;
      const body = encodeMessage('revoke', message);
      const frame = encodeFrame({ ...header, counter, encoding: 'identity' }, body, sign);
      await transport.publish(revokeTopic(organizationId), frame);
    }
  }
}

const messagesOf = (ids: RevokedIds, revision: number): Revoke[] => {
  const lists = kinds.map(kind => [...ids[kind]]);
  const count = Math.max(...lists.map(list => Math.ceil(list.length / MOST_IDS)));
  return Array.from({ length: count }, (_, index) => {
    const [member_ids, member_pin_ids, member_card_ids, member_token_ids, member_group_association_ids] = lists.map(
      list => list.slice(index * MOST_IDS, (index + 1) * MOST_IDS),
    );
    const named = { member_ids, member_pin_ids, member_card_ids, member_token_ids, member_group_association_ids };
    return { v: 1, revision, ...named } as unknown as Revoke;
  });
};
