import type { EventRow } from '../storage/schema.ts';
import type { Storage } from '../storage/open-storage.ts';

/** Events of an organization in the order of their commits. None can appear later before one that was read. */
export const eventsAfter = (
  { reader }: Storage,
  organizationId: string,
  position: number,
  most: number,
): Promise<EventRow[]> =>
  reader
    .selectFrom('events')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('recorded_at', '>', position)
    .orderBy('recorded_at')
    .limit(most)
    .execute();

/** Where the log ends just now. */
export const endOfLog = async ({ reader }: Storage, organizationId: string): Promise<number> => {
  const row = await reader
    .selectFrom('organizations')
    .select('last_recorded_at')
    .where('id', '=', organizationId)
    .executeTakeFirst();
  return row?.last_recorded_at ?? 0;
};

/** Null when the organization has no such event. */
export const positionOf = async (
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
