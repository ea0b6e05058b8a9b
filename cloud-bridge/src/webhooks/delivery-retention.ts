import { newId } from '@lintel/access-core/ids';
import { type Instant, instant } from '@lintel/access-core/instant';
import { sql } from 'kysely';
import type { Storage } from '../storage/open-storage.ts';

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const BATCH = 1000;

/** Ids sort by the time of their making: the first that was made then. */
const firstIdOf = (at: Instant): string => newId('webhook_delivery', at, new Uint8Array(10));

/** Forgets finished deliveries of long ago, a little at a time so that nobody waits for it. */
export const forgetOldDeliveries = async ({ writer }: Storage, now: Instant): Promise<void> => {
  const eldest = firstIdOf(instant(now - KEPT_MS));
  for (;;) {
    const { numAffectedRows } = await sql`delete from webhook_deliveries where id in (
      select d.id from webhook_deliveries as d where d.id < ${eldest} and d.status <> 'pending'
      limit ${BATCH})`.execute(writer);
    if ((numAffectedRows ?? 0n) < BigInt(BATCH)) return;
  }
};
