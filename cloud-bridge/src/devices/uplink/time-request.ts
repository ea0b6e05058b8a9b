import type { Time } from '@lintel/wire-protocol/mqtt/messages/time';
import type { Services } from '../../services.ts';
import type { Session } from '../sessions.ts';
import type { UplinkDesk } from './uplink-desk.ts';

/** How far the organization is: a controller that is behind has been kept from something. Null when it is gone. */
export const extentOf = async (
  { storage }: Services,
  organizationId: string,
): Promise<Pick<Time, 'revision' | 'revoke_counter'> | null> => {
  const row = await storage.reader
    .selectFrom('organizations as o')
    .leftJoin('organization_keys as k', 'k.organization_id', 'o.id')
    .select(['o.revision', 'k.revoke_counter'])
    .where('o.id', '=', organizationId)
    .executeTakeFirst();
  return row === undefined ? null : { revision: row.revision, revoke_counter: row.revoke_counter ?? 0 };
};

export const sendTime = async (
  { services, downlink }: Pick<UplinkDesk, 'services' | 'downlink'>,
  session: Session,
  nonce: string,
): Promise<void> => {
  const extent = await extentOf(services, session.organizationId);
  if (extent === null) return;
  const time: Time = { v: 1, nonce, time: services.clock(), ...extent };
  await downlink.send(session, 'time', time);
};
