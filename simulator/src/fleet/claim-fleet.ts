import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { redeem, renew } from '@lintel/device-link/identity/claim-client';
import { ClaimError } from '@lintel/device-link/bridge-http/claim-error';
import { deviceKeysOf } from '@lintel/device-link/identity/device-keys';
import { toldDigestKey } from '@lintel/device-link/identity/digest-key';
import type { Membership } from '@lintel/device-link/identity/membership';
import type { BridgeClient } from './bridge-client.ts';
import type { FleetHome, FleetMember } from './fleet-member.ts';
import type { FleetPlace } from './fleet-place.ts';
import { mapWithConcurrency } from './map-with-concurrency.ts';
import type { FleetKeyFile } from './key-file.ts';

const AT_ONCE = 8;
const MOST_ATTEMPTS = 20;
const PATIENCE_MS = 1000;
const TICKET_SECONDS = 3600;
const DAY_MS = 86_400_000;

const door = { name: 'Door', actions: [{ id: 'open', name: 'Open' }] };

export interface ClaimTerms {
  readonly client: BridgeClient;
  readonly bridgeUrl: string;
  /** Of a bridge that is its own authority. */
  readonly caFingerprint: string | null;
  readonly place: FleetPlace;
  readonly keys: FleetKeyFile;
  readonly count: number;
  readonly onClaimed: (claimed: number, of: number) => void;
  /** What is claimed by then is kept. */
  readonly signal: AbortSignal;
}

export interface ClaimedFleet {
  readonly home: FleetHome;
  readonly members: readonly FleetMember[];
  /** How many of them this run has claimed. */
  readonly claimed: number;
}

const homeOf = (membership: Membership): FleetHome => {
  const { organization_id, site_id, organization_key, ca_certificate, brokers } = membership;
  return { organization_id, site_id, organization_key, ca_certificate, brokers };
};

/** A bridge that is asked too much at once says so, and is asked again. */
const patiently = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let failures = 1; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ClaimError) || error.isFinal || failures === MOST_ATTEMPTS) throw error;
      await delay(PATIENCE_MS * (0.5 + Math.random()));
    }
  }
};

/** With a ticket, a key of its own and a request for a certificate, as at a door. `deviceId`: in place of lost hardware. */
const claimOne = async (
  { client, bridgeUrl, caFingerprint, place }: ClaimTerms,
  deviceId: string | null,
  name: string,
): Promise<{ readonly membership: Membership; readonly member: FleetMember }> => {
  const { organizationId, siteId } = place;
  const { code } = await client.call<{ code: string }>(
    'POST',
    `/admin/v1/organizations/${organizationId}/claim_tickets`,
    { site_id: siteId, device_id: deviceId, expires_in: TICKET_SECONDS },
  );
  const keys = deviceKeysOf(generateKeyPairSync('ed25519').privateKey);
  const digestKey = toldDigestKey(randomBytes(32));
  const hardwareId = newId('hardware', instant(Date.now()), randomBytes(10));
  const thing = { productId: 'virtual', revisionId: null, name, gadgets: [door] };
  const membership = await patiently(() =>
    redeem({ code, bridgeUrl, caFingerprint }, { keys, hardwareId, digestKey }, thing, { now: Date.now() }),
  );
  const { device_id, serial, certificate, expires_at } = membership;
  const member = { device_id, serial, digest_key_id: digestKey.id, key: keys.privateKeyPem, certificate, expires_at };
  return { membership, member };
};

/** Where the brokers are now, and a fresh certificate for the one that asked. */
const greetAgain = async (
  { bridgeUrl, caFingerprint, keys }: ClaimTerms,
  home: FleetHome,
  member: FleetMember,
): Promise<FleetHome> => {
  const before: Membership = {
    v: 1,
    ...home,
    device_id: member.device_id,
    product_id: 'virtual',
    bridge_url: bridgeUrl,
    ca_fingerprint: caFingerprint,
    serial: member.serial,
    certificate: member.certificate,
    renew_after: member.expires_at,
    expires_at: member.expires_at,
  };
  const own = deviceKeysOf(createPrivateKey(member.key));
  const after = homeOf(await patiently(() => renew(before, own, null, { now: Date.now() })));
  keys.add(after);
  return after;
};

const livingDevices = async ({ client, place }: ClaimTerms): Promise<string[]> => {
  const ids: string[] = [];
  const path = `/admin/v1/organizations/${place.organizationId}/devices?site_id=${place.siteId}`;
  for await (const { id } of client.list<{ id: string }>(path)) ids.push(id);
  return ids;
};

/** As many controllers as are wanted: those whose keys are known first, then devices without a key, then new ones. */
export const claimFleet = async (terms: ClaimTerms): Promise<ClaimedFleet> => {
  const { keys, count, place, onClaimed, signal } = terms;
  const kept = keys.read();
  const isHere = kept.home?.organization_id === place.organizationId && kept.home.site_id === place.siteId;
  const living = await livingDevices(terms);
  const hasKey = (id: string): boolean => {
    const member = isHere ? kept.members.get(id) : undefined;
    return member !== undefined && member.expires_at > Date.now() + DAY_MS;
  };
  const members = living
    .filter(hasKey)
    .slice(0, count)
    .map(id => kept.members.get(id)!);
  let home = isHere && members[0] !== undefined ? await greetAgain(terms, kept.home, members[0]) : null;
  const orphans = living.filter(id => !hasKey(id)).slice(0, count - members.length);
  const missing = Array.from({ length: count - members.length }, (_, index) => orphans[index] ?? null);
  let claimed = 0;
  await mapWithConcurrency(missing.entries(), AT_ONCE, async ([index, deviceId]) => {
    if (signal.aborted) throw new Error('stopped while controllers were being claimed');
    const { membership, member } = await claimOne(terms, deviceId, `Fleet door ${living.length + index + 1}`);
    if (home === null) {
      home = homeOf(membership);
      keys.add(home);
    }
    keys.add(member);
    members.push(member);
    onClaimed(++claimed, missing.length);
  });
  if (home === null) throw new Error('a fleet has at least one controller');
  return { home, members, claimed };
};
