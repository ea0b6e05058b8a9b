import type { OrganizationId } from '@lintel/access-core/ids';
import { toBase64url } from '@lintel/wire-protocol/encoding/base64url';
import { encodeMqttMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import type { RevocationMqttMessage } from '@lintel/wire-protocol/mqtt/messages/revocation';
import { encodeSignedFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { buildRevocationTopic } from '@lintel/wire-protocol/mqtt/topics';
import { type Kysely, sql } from 'kysely';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { OrganizationEventRow } from '../../storage/event-schema.ts';
import type { Database } from '../../storage/schema.ts';
import type { RecordedOrganizationChanges } from '../../transactions/record-organization-changes.ts';
import { listSentRevocations, type NumberedRevocation, recordSentRevocations } from './sent-revocations.ts';
import type { DeviceTransport } from '../transport/device-transport-interface.ts';
import type { DownlinkRecipient, DownlinkSender } from './downlink-sender.ts';
import type { OrganizationSignerCache } from './organization-signer-cache.ts';

const kinds = [
  'member',
  'member_pin',
  'member_card',
  'member_token',
  'member_magic_link',
  'member_group_association',
] as const;
type RevokedKind = (typeof kinds)[number];
type RevokedIds = Record<RevokedKind, Set<string>>;

/** Limit for each kind in one message. */
const MAX_IDS = 1000;

const emptyIds = (): RevokedIds => ({
  member: new Set(),
  member_pin: new Set(),
  member_card: new Set(),
  member_token: new Set(),
  member_magic_link: new Set(),
  member_group_association: new Set(),
});

const deletedIdsIn = (events: readonly OrganizationEventRow[]): RevokedIds => {
  const ids = emptyIds();
  for (const event of events) {
    const kind = kinds.find(candidate => candidate === event.object_type);
    const id = kind === undefined ? null : event[`object_${kind}_id`];
    if (event.verb === 'delete' && kind !== undefined && id !== null) ids[kind].add(id);
  }
  return ids;
};

const idsOf = (events: readonly OrganizationEventRow[], verb: string, type: 'member' | 'card'): string[] =>
  events.flatMap(event =>
    event.verb === verb && event.object_type === type ? (event[`object_${type}_id`] ?? []) : [],
  );

interface RevocationDependencies {
  readonly services: Pick<BridgeServices, 'storage' | 'writer' | 'clock' | 'deviceRows'>;
  readonly transport: DeviceTransport;
  readonly signers: OrganizationSignerCache;
  readonly downlink: Pick<DownlinkSender, 'send'>;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends deleted and expired members and credentials to all controllers of the organization in a signed message, before
 * the snapshot deltas. Counters have no gaps and follow the order of commits, so that a controller detects a withheld
 * message.
 */
export class RevocationPublisher {
  readonly #dependencies: RevocationDependencies;
  readonly #pending = new Map<string, NumberedRevocation[]>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(dependencies: RevocationDependencies) {
    this.#dependencies = dependencies;
    const { writer } = dependencies.services;
    writer.onRecorded((db, recorded) => this.#assignCounters(db, recorded));
    writer.onCommitted(recorded => this.#publish(recorded));
  }

  /** Runs in the transaction, so that a counter is used if and only if the revocation is committed. */
  async #assignCounters(
    db: Kysely<Database>,
    { organizationId, events, revision, hasChanges: changed }: RecordedOrganizationChanges,
  ): Promise<void> {
    const key = `${organizationId} ${revision}`;
    // An earlier transaction with the same revision failed to commit.
    this.#pending.delete(key);
    if (!changed) return;
    const ids = deletedIdsIn(events);
    for (const id of await this.#findInvalidMembers(db, idsOf(events, 'edit', 'member'))) ids.member.add(id);
    for (const id of await this.#findMemberCards(db, idsOf(events, 'delete', 'card'))) ids.member_card.add(id);
    const messages = messagesOf(ids, revision);
    if (messages.length === 0) return;
    const row = await db
      .updateTable('organization_keys')
      .set({ revoke_counter: sql<number>`revoke_counter + ${messages.length}` })
      .where('organization_id', '=', organizationId)
      .returning('revoke_counter')
      .executeTakeFirst();
    // An organization without a key has no claimed controllers.
    if (row === undefined) return;
    const first = row.revoke_counter - messages.length + 1;
    const numbered = messages.map((message, index) => ({ counter: first + index, message }));
    await recordSentRevocations(db, organizationId, numbered);
    this.#pending.set(key, numbered);
  }

  /** The edited members whose validity does not include the current time. */
  async #findInvalidMembers(db: Kysely<Database>, edited: readonly string[]): Promise<string[]> {
    if (edited.length === 0) return [];
    const { storage, clock } = this.#dependencies.services;
    const now = clock();
    const { rows } = await sql<{ id: string }>`select m.id from members as m
      where ${buildIdInExpression(storage.engine, sql`m.id`, edited)} and (m.ends_at <= ${now} or m.starts_at > ${now})`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  }

  async #findMemberCards(db: Kysely<Database>, cards: readonly string[]): Promise<string[]> {
    if (cards.length === 0) return [];
    const { rows } = await sql<{ id: string }>`select h.id from member_cards as h
      where ${buildIdInExpression(this.#dependencies.services.storage.engine, sql`h.card_id`, cards)} and h.is_deleted = 0`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  }

  #publish({ organizationId, revision }: RecordedOrganizationChanges): void {
    const key = `${organizationId} ${revision}`;
    const pending = this.#pending.get(key);
    if (pending === undefined) return;
    this.#pending.delete(key);
    const before = this.#sending.get(organizationId) ?? Promise.resolve();
    const sending = before
      .then(() => this.#send(organizationId as OrganizationId, pending))
      .catch(this.#dependencies.onError)
      .finally(() => {
        if (this.#sending.get(organizationId) === sending) this.#sending.delete(organizationId);
      });
    this.#sending.set(organizationId, sending);
  }

  /** Resolves when all revocations so far are published. */
  async whenSent(organizationId: string): Promise<void> {
    await this.#sending.get(organizationId);
  }

  async #send(organizationId: OrganizationId, pending: readonly NumberedRevocation[]): Promise<void> {
    const { transport, signers } = this.#dependencies;
    const { sign } = await signers.of(organizationId);
    for (const { counter, message } of pending) {
      const frame = signRevocation(organizationId, counter, encodeMqttMessage('revoke', message), sign);
      await transport.publish(buildRevocationTopic(organizationId), frame);
    }
  }

  /**
   * Sends a controller the revocations that it missed while it was offline. The snapshot contains them, but only the
   * signed messages prove to a bridge that is restored later what must stay revoked.
   */
  async sendMissed(to: DownlinkRecipient, afterCounter: number): Promise<void> {
    const { services, signers, downlink } = this.#dependencies;
    const { organizationId } = to;
    const counters = await services.deviceRows.counters.load(organizationId);
    if (counters === undefined || counters.revoke_counter <= afterCounter) return;
    const missed = await listSentRevocations(services.storage.reader, organizationId, afterCounter);
    if (missed.length === 0) return;
    const { sign } = await signers.of(organizationId);
    const frames = missed.map(({ counter, body }) =>
      toBase64url(signRevocation(organizationId, counter, Buffer.from(body), sign)),
    );
    await downlink.send(to, 'missed-revocations', { v: 1, frames });
  }
}

const signRevocation = (
  organizationId: OrganizationId,
  counter: number,
  body: Uint8Array,
  sign: (bytes: Uint8Array) => Uint8Array,
): Uint8Array => {
  const header = { v: 1, kind: 'revoke', signer: organizationId, audience: organizationId, serial: '' } as const;
  return encodeSignedFrame({ ...header, counter, encoding: 'identity' }, body, sign);
};

const messagesOf = (ids: RevokedIds, revision: number): RevocationMqttMessage[] => {
  const lists = kinds.map(kind => [...ids[kind]]);
  const count = Math.max(...lists.map(list => Math.ceil(list.length / MAX_IDS)));
  return Array.from({ length: count }, (_, index) => {
    const idLists = Object.fromEntries(
      kinds.map((kind, at) => [`${kind}_ids`, lists[at]!.slice(index * MAX_IDS, (index + 1) * MAX_IDS)]),
    );
    return { v: 1, revision, ...idLists } as unknown as RevocationMqttMessage;
  });
};
