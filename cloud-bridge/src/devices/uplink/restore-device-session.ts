import { buildDigestKeySealContext } from '../../resources/device-links-and-digest-keys.ts';
import { unsealSecret } from '../../secrets/sealing.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { DeviceLinkRow } from '../../storage/device-schema.ts';
import { findValidDevicePublicKey } from '../identity/device-authentication.ts';
import type { UplinkMessageOrigin, ActiveDeviceSession } from '../device-session-registry.ts';
import { requestSyncPosition } from './data-loss-recovery/reconcile-revocations-before-sync.ts';
import type { UplinkDependencies } from './uplink-dependencies.ts';

/** For sessions from before a restart, whose connection is unknown. */
const UNKNOWN_ORIGIN: UplinkMessageOrigin = { from: null, order: 0 };

export const createDeviceSession = (
  { masterKeys }: BridgeServices,
  link: DeviceLinkRow,
  { nonce, serial, helloCounter }: Pick<ActiveDeviceSession, 'nonce' | 'serial' | 'helloCounter'>,
  origin: UplinkMessageOrigin,
): ActiveDeviceSession => {
  const { device_id, organization_id, digest_key_id, sealed_digest_key } = link;
  const key = unsealSecret(masterKeys, sealed_digest_key, buildDigestKeySealContext(organization_id, device_id));
  return {
    deviceId: device_id as ActiveDeviceSession['deviceId'],
    organizationId: organization_id as ActiveDeviceSession['organizationId'],
    serial,
    nonce,
    helloCounter,
    newestCounters: new Map(),
    lastMessageAt: performance.now(),
    origin,
    digestKeyId: digest_key_id,
    // A copy: the buffer would keep 64 kB of the shared pool for as long as the session.
    digestKey: Uint8Array.from(Buffer.from(key, 'base64url')),
    snapshot: null,
    pendingRevision: null,
    lastLostEvent: null,
    positionRequest: null,
    waitingSyncRequest: null,
    revocationRequest: { count: 0, nextAt: 0 },
    hasSentRevocations: false,
    awaitsRevocations: link.awaits_revocations === 1,
    acceptsOpenSnapshots: false,
    isNew: false,
    sentSnapshots: new Map(),
  };
};

/**
 * Restores a session from the database, because a controller behind an external broker does not notice a restart of the
 * bridge. Undefined if the session has ended or the certificate is no longer valid.
 */
export const restoreDeviceSession = async (
  uplink: UplinkDependencies,
  device: string,
): Promise<ActiveDeviceSession | undefined> => {
  const { services, sessions } = uplink;
  const link = await services.deviceRows.links.load(device);
  if (link === undefined || link.session_nonce === null) return undefined;
  const { session_nonce: nonce, serial, hello_counter: helloCounter } = link;
  if ((await findValidDevicePublicKey(services, device, serial)) === null) return undefined;
  const known = sessions.of(device);
  if (known !== undefined) return known;
  const session = createDeviceSession(services, link, { nonce, serial, helloCounter }, UNKNOWN_ORIGIN);
  session.positionRequest = { count: 0, nextAt: 0 };
  sessions.open(session);
  return session;
};

/** Restores a session. The controller gets what it lacks when it has reported its position. */
export const restoreAndSyncDeviceSession = async (
  uplink: UplinkDependencies,
  device: string,
): Promise<ActiveDeviceSession | undefined> => {
  const session = await restoreDeviceSession(uplink, device);
  if (session !== undefined) uplink.enqueueSync(device, () => requestSyncPosition(uplink, session));
  return session;
};
