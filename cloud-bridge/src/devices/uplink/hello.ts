import type { Hello } from '@lintel/wire-protocol/mqtt/messages/hello';
import type { DeviceId } from '@lintel/access-core/ids';
import { digestKeyContext } from '../../resources/device-links.ts';
import { unseal } from '../../secrets/sealing.ts';
import type { DeviceLinkRow } from '../../storage/device-schema.ts';
import { keyInForce } from '../identity/device-login.ts';
import type { Origin, Session } from '../sessions.ts';
import { digesterOf } from '../slice/credential-digester.ts';
import { sendTime } from './time-request.ts';
import type { UplinkDesk } from './uplink-desk.ts';

const findLink = ({ services }: UplinkDesk, deviceId: string): Promise<DeviceLinkRow | undefined> =>
  services.storage.reader.selectFrom('device_links').selectAll().where('device_id', '=', deviceId).executeTakeFirst();

const sessionOf = (
  { services }: UplinkDesk,
  link: DeviceLinkRow,
  { session_nonce, serial }: Hello,
  origin: Origin,
): Session => {
  const { device_id, organization_id, digest_key_id, sealed_digest_key } = link;
  const key = unseal(services.masterKeys, sealed_digest_key, digestKeyContext(organization_id, device_id));
  return {
    deviceId: device_id as Session['deviceId'],
    organizationId: organization_id as Session['organizationId'],
    serial,
    nonce: session_nonce,
    origin,
    digestKeyId: digest_key_id,
    digester: digesterOf(Buffer.from(key, 'base64url')),
    slice: null,
    outstanding: null,
    sent: new Map(),
  };
};

/** The first word of a connection: who it is, since when, and what it holds. */
export const handleHello = async (
  desk: UplinkDesk,
  device: DeviceId,
  hello: Hello,
  origin: Origin,
): Promise<string | null> => {
  const link = await findLink(desk, device);
  if (link === undefined) return 'the device is not claimed';
  if ((await keyInForce(desk.services, device, hello.serial)) === null) return 'the certificate is not in force';
  await desk.hellos.note(link, hello);
  const session = sessionOf(desk, link, hello, origin);
  desk.sessions.open(session);
  // Devices may have been claimed since it logged in; it is about to hear of them.
  await desk.gateways.refresh(desk.services.storage, session.organizationId, device);
  await sendTime(desk, session, hello.session_nonce);
  if (hello.digest_key_id !== link.digest_key_id)
    return 'its digest key is not known here: it must renew its certificate';
  const { slice: have, resume } = hello;
  desk.inSyncLane(device, () => desk.sync.ask(session, { v: 1, have, resume }));
  return null;
};
