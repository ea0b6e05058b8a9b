import type { Time } from '@lintel/wire-protocol/mqtt/messages/time';
import type { Session } from '../sessions.ts';
import type { UplinkDesk } from './uplink-desk.ts';

/** The bridge's time, and how far the organization is: a controller that is behind has been kept from something. */
export const sendTime = async (
  { services, downlink }: Pick<UplinkDesk, 'services' | 'downlink'>,
  session: Session,
  nonce: string,
): Promise<void> => {
  const row = await services.storage.reader
    .selectFrom('organizations as o')
    .leftJoin('organization_keys as k', 'k.organization_id', 'o.id')
    .select(['o.revision', 'k.revoke_counter'])
    .where('o.id', '=', session.organizationId)
    .executeTakeFirst();
  if (row === undefined) return;
  const time: Time = {
    v: 1,
    nonce,
    time: services.clock(),
    revision: row.revision,
    revoke_counter: row.revoke_counter ?? 0,
  };
  await downlink.send(session, 'time', time);
};
