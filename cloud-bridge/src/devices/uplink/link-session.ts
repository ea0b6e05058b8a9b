import { digestKeyContext } from '../../resources/device-links.ts';
import { unseal } from '../../secrets/sealing.ts';
import type { Services } from '../../services.ts';
import type { DeviceLinkRow } from '../../storage/device-schema.ts';
import { keyInForce } from '../identity/device-login.ts';
import type { Origin, Session } from '../sessions.ts';
import { digesterOf } from '@lintel/crypto/credential-digester';
import type { UplinkDesk } from './uplink-desk.ts';

/** Of those that an earlier process has heard: nobody knows by which way they came. */
const EARLIER: Origin = { from: null, order: 0 };

export const findLink = ({ storage }: Services, deviceId: string): Promise<DeviceLinkRow | undefined> =>
  storage.reader.selectFrom('device_links').selectAll().where('device_id', '=', deviceId).executeTakeFirst();

export const sessionOf = (
  { masterKeys }: Services,
  link: DeviceLinkRow,
  { nonce, serial }: Pick<Session, 'nonce' | 'serial'>,
  origin: Origin,
): Session => {
  const { device_id, organization_id, digest_key_id, sealed_digest_key } = link;
  const key = unseal(masterKeys, sealed_digest_key, digestKeyContext(organization_id, device_id));
  return {
    deviceId: device_id as Session['deviceId'],
    organizationId: organization_id as Session['organizationId'],
    serial,
    nonce,
    origin,
    digestKeyId: digest_key_id,
    digester: digesterOf(Buffer.from(key, 'base64url')),
    slice: null,
    outstanding: null,
    sent: new Map(),
  };
};

/**
 * Behind a broker of its own a controller does not notice that its bridge was started anew: the session that its hello
 * began goes on. Undefined where it has ended, or its certificate has.
 */
export const resumedSession = async (desk: UplinkDesk, device: string): Promise<Session | undefined> => {
  const { services, sessions } = desk;
  const link = await findLink(services, device);
  if (link === undefined || link.session_nonce === null) return undefined;
  const { session_nonce: nonce, serial } = link;
  if ((await keyInForce(services, device, serial)) === null) return undefined;
  const known = sessions.of(device);
  if (known !== undefined) return known;
  const session = sessionOf(services, link, { nonce, serial }, EARLIER);
  sessions.open(session);
  return session;
};

/** The same, and it is sent what it lacks by what it has served last. */
export const continuedSession = async (desk: UplinkDesk, device: string): Promise<Session | undefined> => {
  const session = await resumedSession(desk, device);
  if (session !== undefined) desk.inSyncLane(device, () => desk.sync.goOn(session));
  return session;
};
