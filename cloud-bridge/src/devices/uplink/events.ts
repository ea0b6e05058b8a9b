import type { DeviceId } from '@lintel/access-core/ids';
import type { Ack } from '@lintel/wire-protocol/mqtt/messages/ack';
import type { DeviceEvent, Events } from '@lintel/wire-protocol/mqtt/messages/events';
import { sql } from 'kysely';
import { isAmong } from '../../queries/conditions.ts';
import type { GadgetRow } from '../../storage/schema.ts';
import { requireRow } from '../../transactions/rows.ts';
import type { WriteContext } from '../../transactions/writer.ts';
import { claimedLink } from './claimed-link.ts';
import { loggedEvent } from './device-event.ts';
import { extentOf } from './time-request.ts';
import type { UplinkDesk } from './uplink-desk.ts';

const knownIds = async (
  { services }: UplinkDesk,
  { db }: WriteContext,
  ids: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ id: string }>`select e.id from events as e
    where ${isAmong(services.storage.engine, sql`e.id`, ids)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
};

type PlacedGadget = Pick<GadgetRow, 'id' | 'device_id' | 'site_id' | 'organization_id'>;

/** Found by their ids alone: a second condition would lead the database through all gadgets of the organization. */
const gadgetsNamed = async (
  { services }: UplinkDesk,
  { db, organizationId }: WriteContext,
  events: readonly DeviceEvent[],
): Promise<Map<string, PlacedGadget>> => {
  const ids = [...new Set(events.flatMap(({ gadget_id }) => gadget_id ?? []))];
  const { rows } = await sql<PlacedGadget>`select g.id, g.device_id, g.site_id, g.organization_id from gadgets as g
    where ${isAmong(services.storage.engine, sql`g.id`, ids)}`.execute(db);
  return new Map(rows.filter(row => row.organization_id === organizationId).map(row => [row.id, row]));
};

/** The highest number up to which every event is here, or known to be lost. */
const completeUpTo = (sequence: number, events: readonly DeviceEvent[]): number => {
  const spans = events.flatMap(({ sequence: own, lost }) => [
    { first: own, last: own },
    ...(lost == null ? [] : [{ first: lost.first, last: lost.last }]),
  ]);
  let complete = sequence;
  for (const { first, last } of spans.toSorted((a, b) => a.first - b.first)) {
    if (first <= complete + 1) complete = Math.max(complete, last);
  }
  return complete;
};

/** In the log once, however often they are sent; acknowledged when they are committed, and not before. */
export const handleEvents = async (desk: UplinkDesk, device: DeviceId, { events }: Events): Promise<string | null> => {
  const link = await claimedLink(desk, device);
  if (link === null) return 'the device is not claimed';
  const up_to = await desk.services.writer.write(link.organizationId, { device_id: device }, async context => {
    const row = await requireRow(context, 'devices', 'device', device);
    const known = await knownIds(
      desk,
      context,
      events.map(({ id }) => id),
    );
    const gadgets = await gadgetsNamed(desk, context, events);
    for (const told of events) {
      if (known.has(told.id)) continue;
      known.add(told.id);
      const gadget = gadgets.get(told.gadget_id ?? '') ?? null;
      const { event, actor } = loggedEvent(told, { device: row, gadget, asker: desk.actions.askerOf(told.request_id) });
      context.log(event, actor);
    }
    const { event_sequence } = await context.db
      .selectFrom('device_links')
      .select('event_sequence')
      .where('device_id', '=', device)
      .executeTakeFirstOrThrow();
    const complete = completeUpTo(event_sequence, events);
    if (complete > event_sequence) {
      const sequence = { event_sequence: complete };
      await context.db.updateTable('device_links').set(sequence).where('device_id', '=', device).execute();
    }
    return complete;
  });
  const event_ids = events.filter(({ sequence }) => sequence > up_to).map(({ id }) => id);
  const ack: Ack = { v: 1, up_to, event_ids, ...(await extentOf(desk.services, link.organizationId)) };
  await desk.downlink.send(link, 'ack', ack);
  return null;
};
