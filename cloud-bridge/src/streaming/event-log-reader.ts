import type { OrganizationEventRow } from '../storage/event-schema.ts';
import type { Storage } from '../storage/open-storage.ts';

/** Events of an organization in commit order. New events always sort after those already read. */
export const readEventsAfter = (
  { reader }: Storage,
  organizationId: string,
  position: number,
  limit: number,
): Promise<OrganizationEventRow[]> =>
  reader
    .selectFrom('events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('recorded_at', '>', position)
    .orderBy('recorded_at')
    .limit(limit)
    .execute();

/** Position of the newest event; 0 without events. */
export const findLastEventPosition = async ({ reader }: Storage, organizationId: string): Promise<number> => {
  const row = await reader
    .selectFrom('organizations')
    .select('last_recorded_at')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return row?.last_recorded_at ?? 0;
};

/** Null when the organization does not have this event. */
export const findEventPosition = async (
  { reader }: Storage,
  organizationId: string,
  eventId: string,
): Promise<number | null> => {
  const row = await reader
    .selectFrom('events')
    .select('recorded_at')
    .where('id', '=', eventId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row?.recorded_at ?? null;
};
