import { createId } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { sql } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';

const RETENTION_MS = 30 * 24 * 60 * 60 * 1000;
const BATCH = 1000;

/** Ids sort by creation time: this is the lowest id of that time. */
const lowestIdAt = (at: Instant): string => createId('webhook_delivery', at, new Uint8Array(10));

/** Deletes finished deliveries after the retention time, in batches so that other writes are not blocked. */
export const deleteOldDeliveries = async ({ writer }: Storage, now: Instant): Promise<void> => {
  const limitId = lowestIdAt(instant(now - RETENTION_MS));
  for (;;) {
    const { numAffectedRows } = await sql`delete from webhook_deliveries where id in (
      select d.id from webhook_deliveries as d where d.id < ${limitId} and d.status <> 'pending'
      limit ${BATCH})`.execute(writer);
    if ((numAffectedRows ?? 0n) < BigInt(BATCH)) return;
  }
};
