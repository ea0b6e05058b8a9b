import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { DeviceSessionRegistry } from './device-session-registry.ts';
import type { DownlinkRecipient } from './downlink/downlink-sender.ts';

/** A connected controller and the nonce of its session. */
export interface ConnectedDownlinkRecipient extends DownlinkRecipient {
  readonly nonce: string;
}

/**
 * The newest session of the controller. With several bridges it is read from the database, because another bridge may
 * have received the last hello or goodbye.
 */
export const findConnectedDownlinkRecipient = async (
  { engine, reader }: Storage,
  sessions: DeviceSessionRegistry,
  deviceId: DeviceId,
): Promise<ConnectedDownlinkRecipient | null> =>
  (engine === 'sqlite' ? sessions.of(deviceId) : undefined) ?? loadSessionRecipient(reader, deviceId);

const loadSessionRecipient = async (
  db: Kysely<Database>,
  deviceId: DeviceId,
): Promise<ConnectedDownlinkRecipient | null> => {
  const link = await db
    .selectFrom('device_links')
    .select(['organization_id', 'serial', 'session_nonce'])
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (link === undefined || link.session_nonce === null) return null;
  const { organization_id, serial, session_nonce: nonce } = link;
  return { deviceId, organizationId: organization_id as OrganizationId, serial, nonce };
};
