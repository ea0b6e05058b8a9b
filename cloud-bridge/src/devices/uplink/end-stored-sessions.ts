import { sql } from 'kysely';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { setDevicesOnline } from './update-device-status.ts';

/** The devices are offline from now on. */
export const endStoredSessions = async (context: WriteContext, deviceIds: readonly string[]): Promise<void> => {
  if (deviceIds.length === 0) return;
  const isListed = buildIdInExpression(context.engine, sql`device_id`, deviceIds);
  await sql`update device_links set session_nonce = null where ${isListed}`.execute(context.db);
  await setDevicesOnline(context, deviceIds, false);
};
