import { sql } from 'kysely';
import { createJsonRowsParameter } from '../../storage/rows-as-json-parameter.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';
import { setDevicesOnline } from './update-device-status.ts';

export interface EndedSession {
  readonly deviceId: string;
  readonly nonce: string;
}

/**
 * The devices are offline from now on. Ignores sessions that are no longer current: another bridge may have opened a newer
 * one since the caller looked.
 */
export const endStoredSessions = async (context: WriteContext, ended: readonly EndedSession[]): Promise<void> => {
  if (ended.length === 0) return;
  const rows = ended.map(({ deviceId, nonce }) => ({ id: deviceId, nonce }));
  const { rows: updated } = await sql<{
    device_id: string;
  }>`update device_links set session_nonce = null, offline_since = ${sql.val(context.now)}
    from ${createJsonRowsParameter(context.engine, { id: 'text', nonce: 'text' }, rows)}
    where device_id = o.id and session_nonce = o.nonce returning device_id`.execute(context.db);
  await setDevicesOnline(
    context,
    updated.map(({ device_id }) => device_id),
    false,
  );
};
