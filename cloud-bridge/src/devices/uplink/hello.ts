import type { Hello } from '@lintel/wire-protocol/mqtt/messages/hello';
import type { DeviceId } from '@lintel/access-core/ids';
import { keyInForce } from '../identity/device-login.ts';
import type { Origin } from '../sessions.ts';
import { findLink, sessionOf } from './link-session.ts';
import { sendTime } from './time-request.ts';
import type { UplinkDesk } from './uplink-desk.ts';

/** The first word of a connection: who it is, since when, and what it holds. */
export const handleHello = async (
  desk: UplinkDesk,
  device: DeviceId,
  hello: Hello,
  origin: Origin,
): Promise<string | null> => {
  const link = await findLink(desk.services, device);
  if (link === undefined) return 'the device is not claimed';
  if ((await keyInForce(desk.services, device, hello.serial)) === null) return 'the certificate is not in force';
  await desk.hellos.note(link, hello);
  const { session_nonce: nonce, serial } = hello;
  const session = sessionOf(desk.services, link, { nonce, serial }, origin);
  desk.sessions.open(session);
  // Devices may have been claimed since it logged in; it is about to hear of them.
  await desk.gateways.refresh(desk.services.storage, session.organizationId, device);
  await sendTime(desk, session, hello.session_nonce);
  await desk.rollouts.greeted(device);
  if (hello.digest_key_id !== link.digest_key_id)
    return 'its digest key is not known here: it must renew its certificate';
  const { slice: have, resume } = hello;
  desk.inSyncLane(device, () => desk.sync.ask(session, { v: 1, have, resume }));
  return null;
};
