import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '@lintel/access-core/durations';
import { createId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { requestClaimRedemption } from '@lintel/device-link/identity/claim-client';
import { requestCertificateRenewal } from '@lintel/device-link/identity/certificate-renewal-client';
import { ClaimOrRenewalError } from '@lintel/device-link/bridge-http/claim-or-renewal-error';
import { toDeviceKeys } from '@lintel/device-link/identity/device-keys';
import { encodeDigestKey } from '@lintel/device-link/identity/digest-key-id-and-encoding';
import type { DeviceEnrollment } from '@lintel/device-link/identity/device-enrollment';
import type { FleetBridgeClient } from './fleet-bridge-client.ts';
import type { SharedFleetClaimData, FleetDevice } from './fleet-device-identity.ts';
import type { FleetSite } from './find-or-create-fleet-site.ts';
import { forEachWithConcurrency } from './for-each-with-concurrency.ts';
import type { FleetKeyFile } from './fleet-key-file.ts';

const CONCURRENCY = 8;
const MAX_ATTEMPTS = 20;
const RETRY_MS = 1000;
const TICKET_SECONDS = 3600;

const door = { name: 'Door', actions: [{ id: 'open', name: 'Open' }] };

export interface EnsureClaimedFleetOptions {
  readonly client: FleetBridgeClient;
  readonly bridgeUrl: string;
  /** Fingerprint of a bridge with its own certificate authority. */
  readonly caFingerprint: string | null;
  readonly site: FleetSite;
  readonly keys: FleetKeyFile;
  readonly count: number;
  readonly onClaimed: (claimed: number, of: number) => void;
  /** Stops the claims. Controllers that are already claimed stay in the key file. */
  readonly signal: AbortSignal;
}

export interface ClaimedFleet {
  readonly enrollment: SharedFleetClaimData;
  readonly devices: readonly FleetDevice[];
  /** Number of controllers that this run has claimed. */
  readonly claimed: number;
}

const enrollmentOf = (membership: DeviceEnrollment): SharedFleetClaimData => {
  const { organization_id, site_id, organization_key, ca_certificate, brokers } = membership;
  return { organization_id, site_id, organization_key, ca_certificate, brokers };
};

/** Repeats an attempt after a temporary error. */
const withRetry = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ClaimOrRenewalError) || error.isFinal || failures === MAX_ATTEMPTS) throw error;
      await delay(RETRY_MS * (0.5 + Math.random()));
    }
  }
};

/** Claims a controller with a ticket, a new key pair and a certificate request. `deviceId`: replaces an existing device. */
const claimDevice = async (
  { client, bridgeUrl, caFingerprint, site }: EnsureClaimedFleetOptions,
  deviceId: string | null,
  name: string,
): Promise<{ readonly membership: DeviceEnrollment; readonly device: FleetDevice }> => {
  const { organizationId, siteId } = site;
  const { code } = await client.call<{ code: string }>(
    'POST',
    `/admin/v1/organizations/${organizationId}/claim_tickets`,
    { site_id: siteId, device_id: deviceId, expires_in: TICKET_SECONDS },
  );
  const keys = toDeviceKeys(generateKeyPairSync('ed25519').privateKey);
  const digestKey = encodeDigestKey(randomBytes(32));
  const hardwareId = createId('hardware', instant(Date.now()), randomBytes(10));
  const product = { productId: 'virtual', revisionId: null, name, gadgets: [door] };
  const membership = await withRetry(() =>
    requestClaimRedemption({ code, bridgeUrl, caFingerprint }, { keys, hardwareId, digestKey }, product, {
      now: Date.now(),
    }),
  );
  const { device_id, serial, certificate, expires_at } = membership;
  const device = { device_id, serial, digest_key_id: digestKey.id, key: keys.privateKeyPem, certificate, expires_at };
  return { membership, device };
};

/** Reads the current broker addresses by renewing the certificate of one controller. */
const refreshEnrollment = async (
  { bridgeUrl, caFingerprint, keys }: EnsureClaimedFleetOptions,
  enrollment: SharedFleetClaimData,
  device: FleetDevice,
): Promise<SharedFleetClaimData> => {
  const before: DeviceEnrollment = {
    v: 1,
    ...enrollment,
    device_id: device.device_id,
    product_id: 'virtual',
    bridge_url: bridgeUrl,
    ca_fingerprint: caFingerprint,
    serial: device.serial,
    certificate: device.certificate,
    renew_after: device.expires_at,
    expires_at: device.expires_at,
  };
  const deviceKeys = toDeviceKeys(createPrivateKey(device.key));
  const after = enrollmentOf(
    await withRetry(() => requestCertificateRenewal(before, deviceKeys, null, { now: Date.now() })),
  );
  keys.add(after);
  return after;
};

const listDevices = async ({ client, site }: EnsureClaimedFleetOptions): Promise<string[]> => {
  const ids: string[] = [];
  const path = `/admin/v1/organizations/${site.organizationId}/devices?site_id=${site.siteId}`;
  for await (const { id } of client.list<{ id: string }>(path)) ids.push(id);
  return ids;
};

/** Provides `count` controllers: first devices with a stored key, then devices without a key, then new devices. */
export const ensureClaimedFleet = async (options: EnsureClaimedFleetOptions): Promise<ClaimedFleet> => {
  const { keys, count, site, onClaimed, signal } = options;
  const stored = keys.read();
  const isSameSite =
    stored.enrollment?.organization_id === site.organizationId && stored.enrollment.site_id === site.siteId;
  const existing = await listDevices(options);
  const hasKey = (id: string): boolean => {
    const device = isSameSite ? stored.devices.get(id) : undefined;
    return device !== undefined && device.expires_at > Date.now() + DAY_MS;
  };
  const devices = existing
    .filter(hasKey)
    .slice(0, count)
    .map(id => stored.devices.get(id)!);
  let enrollment =
    isSameSite && devices[0] !== undefined ? await refreshEnrollment(options, stored.enrollment, devices[0]) : null;
  const withoutKey = existing.filter(id => !hasKey(id)).slice(0, count - devices.length);
  const missing = Array.from({ length: count - devices.length }, (_, index) => withoutKey[index] ?? null);
  let claimed = 0;
  await forEachWithConcurrency(missing.entries(), CONCURRENCY, async ([index, deviceId]) => {
    if (signal.aborted) throw new Error('Stopped while controllers were being claimed');
    const { membership, device } = await claimDevice(options, deviceId, `Fleet door ${existing.length + index + 1}`);
    if (enrollment === null) {
      enrollment = enrollmentOf(membership);
      keys.add(enrollment);
    }
    keys.add(device);
    devices.push(device);
    onClaimed(++claimed, missing.length);
  });
  if (enrollment === null) throw new Error('A fleet requires at least one controller');
  return { enrollment, devices, claimed };
};
