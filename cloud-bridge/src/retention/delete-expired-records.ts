import { sql } from 'kysely';
import { buildIdInExpression } from '../queries/sql-conditions.ts';
import type { Storage } from '../storage/open-storage.ts';

/** Small, because SQLite has one writer, which also stores the events of doors. */
export const DELETE_BATCH_SIZE = 200;

/** Deletes expired records of one organization and returns their number, at most `DELETE_BATCH_SIZE`. */
type DeleteBatch = (storage: Storage, organizationId: string, cutoff: number) => Promise<number>;

/** True if records of the organization expire by the later cutoff, but not by the earlier one. */
export const isExpiryDueBetween = async (
  { reader }: Storage,
  organizationId: string,
  table: 'events' | 'webhook_deliveries',
  [earlier, later]: readonly [earlier: number, later: number],
): Promise<boolean> => {
  const found =
    table === 'events'
      ? sql`select 1 from events where organization_id = ${organizationId}
          and recorded_at >= ${earlier * 1000} and recorded_at < ${later * 1000} limit 1`
      : sql`select 1 from webhooks as w join webhook_deliveries as d on d.webhook_id = w.id
          and d.created_at >= ${earlier} and d.created_at < ${later} and d.status <> 'pending'
          where w.organization_id = ${organizationId} limit 1`;
  const { rows } = await found.execute(reader);
  return rows.length > 0;
};

/** Events with a delivery that is still pending stay until it has ended. */
export const deleteExpiredEventBatch: DeleteBatch = async ({ writer, engine }, organizationId, cutoff) => {
  const { rows } = await sql<{ id: string }>`select e.id from events as e
    where e.organization_id = ${organizationId} and e.recorded_at < ${cutoff * 1000} and not exists (
      select 1 from webhooks as w
      join webhook_deliveries as d on d.webhook_id = w.id and d.event_id = e.id and d.status = 'pending'
      where w.organization_id = ${organizationId})
    order by e.recorded_at limit ${DELETE_BATCH_SIZE}`.execute(writer);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await sql`delete from events where ${buildIdInExpression(engine, sql`id`, ids)}`.execute(writer);
  return ids.length;
};

export const deleteExpiredWebhookDeliveryBatch: DeleteBatch = async ({ writer }, organizationId, cutoff) => {
  const { numAffectedRows } = await sql`delete from webhook_deliveries where id in (
    select d.id from webhooks as w
    join webhook_deliveries as d on d.webhook_id = w.id and d.created_at < ${cutoff} and d.status <> 'pending'
    where w.organization_id = ${organizationId} limit ${DELETE_BATCH_SIZE})`.execute(writer);
  return Number(numAffectedRows ?? 0);
};
