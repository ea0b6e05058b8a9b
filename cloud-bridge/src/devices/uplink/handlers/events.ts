import type { DeviceId } from '@lintel/access-core/ids';
import type { EventAckMqttMessage } from '@lintel/wire-protocol/mqtt/messages/event-ack';
import type { DeviceEvent, EventsMqttMessage } from '@lintel/wire-protocol/mqtt/messages/events';
import { sql } from 'kysely';
import { buildIdInExpression } from '../../../queries/sql-conditions.ts';
import { computeEffectiveRetention, computeRetentionCutoff } from '../../../storage/retention-policy.ts';
import { findRetentionRow } from '../../../retention/retention-settings.ts';
import type { OrganizationEventRow } from '../../../storage/event-schema.ts';
import type { NewEvent } from '../../../transactions/pending-event.ts';
import { requireRow } from '../../../transactions/row-operations.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';
import { findClaimedDownlinkRecipient } from '../find-claimed-downlink-recipient.ts';
import { finishLostEventRecovery } from '../data-loss-recovery/request-lost-events.ts';
import { toBelievedEvent } from '../events/believed-event.ts';
import { toEventLogEntry } from '../events/log-entry.ts';
import { type EventProofs, verifyEventProofs } from '../events/proofs.ts';
import { ReceivedEventNumbers } from '../events/received-event-numbers.ts';
import { loadEventReferences } from '../events/references.ts';
import { findSendingDevice, type SendingDevice } from '../technician-proof.ts';
import { loadRevisionAndRevocationCounter } from '../send-time-message.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

type LoggedEvent = Pick<
  OrganizationEventRow,
  'id' | 'organization_id' | 'created_at' | 'verb' | 'object_type' | 'object_device_id' | 'reported_by'
>;

const findLoggedEvents = async (
  { services }: UplinkDependencies,
  { db }: WriteContext,
  ids: readonly string[],
): Promise<Map<string, LoggedEvent>> => {
  const { rows } = await sql<LoggedEvent>`select e.id, e.organization_id, e.created_at, e.verb, e.object_type,
    e.object_device_id, e.reported_by from events as e
    where ${buildIdInExpression(services.storage.engine, sql`e.id`, ids)}`.execute(db);
  return new Map(rows.map(row => [row.id, row]));
};

/** An event may be sent first with the untrusted time of the device, and again with its corrected time. */
const isSameEvent = (
  logged: LoggedEvent,
  { deviceId, organizationId }: SendingDevice,
  { verb, object, created_at }: NewEvent,
  device_time: number | null | undefined,
): boolean =>
  logged.organization_id === organizationId &&
  (logged.reported_by === deviceId ||
    (logged.reported_by === null && (logged.created_at === created_at || logged.created_at === device_time))) &&
  logged.verb === verb &&
  logged.object_type === object.type &&
  logged.object_device_id === (object.device_id ?? null);

/** A new id for an event whose id another device has used; null if the event was already logged under one. */
const reassignId = async ({ db, newId }: WriteContext, deviceId: string, eventId: string): Promise<string | null> => {
  const stored_id = newId('event');
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('reassigned_event_ids')
    .values({ device_id: deviceId, event_id: eventId, stored_id })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n ? stored_id : null;
};

/** Events from before this time are not kept; null if all are. */
const loadEventCutoff = async (
  { services }: UplinkDependencies,
  { db, organizationId, now }: WriteContext,
): Promise<number | null> => {
  const row = await findRetentionRow(db, organizationId);
  return computeRetentionCutoff(computeEffectiveRetention(row, services.retention).events, now);
};

/** When the organization claimed the device first. */
const findClaimTime = async ({ db }: WriteContext, { deviceId, organizationId }: SendingDevice): Promise<number> => {
  const row = await db
    .selectFrom('device_certificates')
    .select(({ fn }) => fn.min('created_at').as('at'))
    .where('device_id', '=', deviceId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.at ?? 0;
};

/** The proofs of each event by its id. Outside the transaction, because signatures are verified in threads. */
const verifyProofs = async (
  { services }: UplinkDependencies,
  sender: SendingDevice,
  events: readonly DeviceEvent[],
): Promise<ReadonlyMap<string, EventProofs>> =>
  new Map(
    await Promise.all(events.map(async event => [event.id, await verifyEventProofs(services, sender, event)] as const)),
  );

const loadGroups = async (
  { sync }: UplinkDependencies,
  sender: SendingDevice,
  proofs: ReadonlyMap<string, EventProofs>,
): Promise<(deviceId: DeviceId) => ReadonlySet<string>> => {
  const readers = [...proofs.values()].flatMap(({ reader }) => reader ?? []);
  const devices = [...new Set([sender.deviceId, ...readers])];
  const groups = new Map(await Promise.all(devices.map(async id => [id, await sync.groupsSentTo(id)] as const)));
  return deviceId => groups.get(deviceId) ?? new Set();
};

/** Logs each event once, also when it is sent repeatedly. */
const logEvents = async (
  uplink: UplinkDependencies,
  sender: SendingDevice,
  events: readonly DeviceEvent[],
): Promise<void> => {
  const { deviceId: device, organizationId } = sender;
  const proofs = await verifyProofs(uplink, sender, events);
  const groupsOf = await loadGroups(uplink, sender, proofs);
  await uplink.services.writer.write(organizationId, { device_id: device }, async context => {
    const row = await requireRow(context, 'devices', 'device', device);
    const logged = await findLoggedEvents(
      uplink,
      context,
      events.map(({ id }) => id),
    );
    const references = await loadEventReferences(context, uplink.services.storage.engine, events);
    const claimedAt = await findClaimTime(context, sender);
    const query = context.db
      .selectFrom('device_links')
      .select(['event_sequence', 'received_events'])
      .where('device_id', '=', device);
    const isShared = uplink.services.storage.engine === 'postgres';
    const link = await (isShared ? query.forUpdate() : query).executeTakeFirstOrThrow();
    const received = new ReceivedEventNumbers(link.received_events);
    const known = new Set(events.filter(event => received.has(event)).map(({ id }) => id));
    for (const event of events) received.add(event);
    const cutoff = known.size === 0 ? null : await loadEventCutoff(uplink, context);
    for (const deviceEvent of new Map(events.map(event => [event.id, event])).values()) {
      const proven = proofs.get(deviceEvent.id)!;
      const believed = toBelievedEvent(deviceEvent, proven, { deviceId: device, groupsOf, references });
      const requester = proven.isRequested ? uplink.actions.requesterOf(deviceEvent.request_id) : null;
      const origin = { device: row, requester, claimedAt, now: context.now };
      const earlier = logged.get(deviceEvent.id);
      const entry = toEventLogEntry(deviceEvent, believed, origin);
      const { event } = entry;
      const isLogged = earlier !== undefined && isSameEvent(earlier, sender, event, deviceEvent.device_time);
      // Sent again because no acknowledgement arrived, after retention has deleted the logged event.
      if (earlier === undefined && known.has(deviceEvent.id) && deviceEvent.occurred_at < (cutoff ?? 0)) continue;
      const lost = isLogged || deviceEvent.lost == null ? null : received.reportLost(deviceEvent.lost);
      if (isLogged || lost?.length === 0) continue;
      const id = earlier === undefined ? deviceEvent.id : await reassignId(context, device, deviceEvent.id);
      const { actor } = lost === null ? entry : toEventLogEntry(deviceEvent, believed, { ...origin, lost });
      if (id !== null) context.log({ ...event, id }, actor);
    }
    const event_sequence = Math.max(link.event_sequence, ...events.map(({ sequence }) => sequence));
    const received_events = received.toString();
    if (received_events !== link.received_events || event_sequence !== link.event_sequence) {
      await context.db
        .updateTable('device_links')
        .set({ event_sequence, received_events })
        .where('device_id', '=', device)
        .execute();
    }
  });
};

/** Acknowledges events after the commit. Events that exceed the rate of the device are not acknowledged yet. */
export const handleUplinkEvents = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  { events }: EventsMqttMessage,
): Promise<string | null> => {
  const recipient = await findClaimedDownlinkRecipient(uplink, device);
  const sender = recipient === null ? null : await findSendingDevice(uplink, recipient);
  if (recipient === null || sender === null) return 'the device is not claimed';
  if (!(await uplink.eventRates.accept(uplink, sender, events.length))) return null;
  try {
    await logEvents(uplink, sender, events);
  } catch (error) {
    uplink.eventRates.release(device, events.length);
    throw error;
  }
  await finishLostEventRecovery(uplink, device, events);
  const ack: EventAckMqttMessage = {
    v: 1,
    event_ids: [...new Set(events.map(({ id }) => id))],
    ...(await loadRevisionAndRevocationCounter(uplink.services, recipient.organizationId)),
  };
  await uplink.downlink.send(recipient, 'ack', ack);
  return null;
};
