import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import type { Kysely } from 'kysely';
import type { Database } from '../storage/schema.ts';
import type { Recipient } from './downlink/downlink.ts';

/** A controller that can be asked something, in the session that it said hello with. */
export interface SessionLine extends Recipient {
  readonly nonce: string;
}

/** Another bridge may have heard its hello. */
export const lineElsewhere = async (db: Kysely<Database>, deviceId: DeviceId): Promise<SessionLine | null> => {
  const link = await db
    .selectFrom('device_links')
    .select(['organization_id', 'serial', 'session_nonce'])
    .where('device_id', '=', deviceId)
    .executeTakeFirst();
  if (link === undefined || link.session_nonce === null) return null;
  const { organization_id, serial, session_nonce: nonce } = link;
  return { deviceId, organizationId: organization_id as OrganizationId, serial, nonce };
};
