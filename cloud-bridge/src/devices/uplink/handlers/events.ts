import type { DeviceId } from '@lintel/access-core/ids';
import type { AckMessage } from '@lintel/wire-protocol/mqtt/messages/ack';
import type { DeviceEvent, EventsMessage } from '@lintel/wire-protocol/mqtt/messages/events';
import { sql } from 'kysely';
import { idInExpression } from '../../../queries/sql-conditions.ts';
import type { GadgetRow, OrganizationEventRow } from '../../../storage/schema.ts';
import type { NewEvent } from '../../../transactions/new-event.ts';
import { requireRow } from '../../../transactions/row-operations.ts';
import type { WriteContext } from '../../../transactions/organization-writer.ts';
import { findClaimedRecipient } from '../claimed-recipient.ts';
import { toEventLogEntry } from '../event-log-entry.ts';
import { loadRevisionCounters } from '../time-message.ts';
import type { UplinkDependencies } from '../uplink-dependencies.ts';

type LoggedEvent = Pick<
  OrganizationEventRow,
  'id' | 'organization_id' | 'created_at' | 'verb' | 'object_type' | 'object_device_id'
>;

const findLoggedEvents = async (
  { services }: UplinkDependencies,
  { db }: WriteContext,
  ids: readonly string[],
): Promise<Map<string, LoggedEvent>> => {
  const { rows } = await sql<LoggedEvent>`select e.id, e.organization_id, e.created_at, e.verb, e.object_type,
    e.object_device_id from events as e where ${idInExpression(services.storage.engine, sql`e.id`, ids)}`.execute(db);
  return new Map(rows.map(row => [row.id, row]));
};

const isSameEvent = (logged: LoggedEvent, organizationId: string, { verb, object, created_at }: NewEvent): boolean =>
  logged.organization_id === organizationId &&
  logged.created_at === created_at &&
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

type EventGadget = Pick<GadgetRow, 'id' | 'device_id' | 'site_id' | 'organization_id'>;

/** Filters by organization in memory: in the query, the condition would make the database scan all its gadgets. */
const findGadgets = async (
  { services }: UplinkDependencies,
  { db, organizationId }: WriteContext,
  events: readonly DeviceEvent[],
): Promise<Map<string, EventGadget>> => {
  const ids = [...new Set(events.flatMap(({ gadget_id }) => gadget_id ?? []))];
  const { rows } = await sql<EventGadget>`select g.id, g.device_id, g.site_id, g.organization_id from gadgets as g
    where ${idInExpression(services.storage.engine, sql`g.id`, ids)}`.execute(db);
  return new Map(rows.filter(row => row.organization_id === organizationId).map(row => [row.id, row]));
};

/** The highest sequence number up to which every event is received or reported as lost. */
const lastCompleteSequence = (sequence: number, events: readonly DeviceEvent[]): number => {
  const spans = events.flatMap(({ sequence: eventSequence, lost }) => [
    { first: eventSequence, last: eventSequence },
    ...(lost == null ? [] : [{ first: lost.first, last: lost.last }]),
  ]);
  let lastComplete = sequence;
  for (const { first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    if (first <= lastComplete + 1) lastComplete = Math.max(lastComplete, last);
  }
  return lastComplete;
};

/** Logs each event once, also when it is sent repeatedly, and acknowledges after the commit. */
export const handleEvents = async (
  uplink: UplinkDependencies,
  device: DeviceId,
  { events }: EventsMessage,
): Promise<string | null> => {
  const recipient = await findClaimedRecipient(uplink, device);
  if (recipient === null) return 'the device is not claimed';
  const up_to = await uplink.services.writer.write(recipient.organizationId, { device_id: device }, async context => {
    const row = await requireRow(context, 'devices', 'device', device);
    const logged = await findLoggedEvents(
      uplink,
      context,
      events.map(({ id }) => id),
    );
    const gadgets = await findGadgets(uplink, context, events);
    const added = new Set<string>();
    for (const deviceEvent of events) {
      if (added.has(deviceEvent.id)) continue;
      added.add(deviceEvent.id);
      const gadget = gadgets.get(deviceEvent.gadget_id ?? '') ?? null;
      const requester = uplink.actions.requesterOf(deviceEvent.request_id);
      const { event, actor } = toEventLogEntry(deviceEvent, { device: row, gadget, requester });
      const earlier = logged.get(deviceEvent.id);
      if (earlier === undefined) context.log(event, actor);
      else if (!isSameEvent(earlier, context.organizationId, event)) {
        const id = await reassignId(context, device, deviceEvent.id);
        if (id !== null) context.log({ ...event, id }, actor);
      }
    }
    const { event_sequence } = await context.db
      .selectFrom('device_links')
      .select('event_sequence')
      .where('device_id', '=', device)
      .executeTakeFirstOrThrow();
    const lastComplete = lastCompleteSequence(event_sequence, events);
    if (lastComplete > event_sequence) {
      const sequence = { event_sequence: lastComplete };
      await context.db.updateTable('device_links').set(sequence).where('device_id', '=', device).execute();
    }
    return lastComplete;
  });
  const event_ids = events.filter(({ sequence }) => sequence > up_to).map(({ id }) => id);
  const ack: AckMessage = {
    v: 1,
    up_to,
    event_ids,
    ...(await loadRevisionCounters(uplink.services, recipient.organizationId)),
  };
  await uplink.downlink.send(recipient, 'ack', ack);
  return null;
};
