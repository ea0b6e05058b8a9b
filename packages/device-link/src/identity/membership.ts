import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';
import { redeemed, type Redeemed, type Renewed } from '@lintel/wire-protocol/claiming/redemption';
import { parseWith } from '@lintel/wire-protocol/schema-parts/parse-with';
import * as z from 'zod';
import { removePrivately, writePrivately } from '@lintel/service/data-folder/private-file';

const { device_id, organization_id, site_id, organization_key, bridge_url, brokers } = redeemed.shape;
const { v, serial, certificate, ca_certificate, renew_after, expires_at } = redeemed.shape;

/** What claiming gave: whose device this is, and how it proves it. */
const membership = z.strictObject({
  v,
  device_id,
  organization_id,
  site_id,
  /** Null where the bridge did not say it. */
  product_id: z.string().nullable(),
  organization_key,
  /** Where it was claimed: known to be reachable from here, whatever the bridge takes for its address. */
  bridge_url,
  /** Of the bridge's HTTPS, as the ticket said it. */
  ca_fingerprint: z.string().nullable(),
  serial,
  certificate,
  ca_certificate,
  renew_after,
  expires_at,
  brokers,
  /** Of the key of PINs and cards that the bridge was told. */
  digest_key_id: z.string().nullish(),
});
export type Membership = z.infer<typeof membership>;

export const membershipOf = (
  answer: Redeemed,
  { bridge_url, ca_fingerprint, digest_key_id }: Pick<Membership, 'bridge_url' | 'ca_fingerprint' | 'digest_key_id'>,
): Membership => ({
  v: answer.v,
  device_id: answer.device_id,
  organization_id: answer.organization_id,
  site_id: answer.site_id,
  product_id: answer.product_id ?? null,
  organization_key: answer.organization_key,
  bridge_url,
  ca_fingerprint,
  serial: answer.serial,
  certificate: answer.certificate,
  ca_certificate: answer.ca_certificate,
  renew_after: answer.renew_after,
  expires_at: answer.expires_at,
  brokers: { mqtts: answer.brokers.mqtts, mqtt: answer.brokers.mqtt },
  digest_key_id: digest_key_id ?? null,
});

/** `newDigestKeyId`: of one that the bridge was told with it. */
export const renewedMembership = (before: Membership, answer: Renewed, newDigestKeyId: string | null): Membership => ({
  ...before,
  digest_key_id: newDigestKeyId ?? before.digest_key_id ?? null,
  serial: answer.serial,
  certificate: answer.certificate,
  ca_certificate: answer.ca_certificate,
  renew_after: answer.renew_after,
  expires_at: answer.expires_at,
  brokers: { mqtts: answer.brokers.mqtts, mqtt: answer.brokers.mqtt },
});

const damaged = (path: string, why: string): Result<never> =>
  failed([problem('', 'damaged_membership', `${path} is damaged: ${why}. The device must be claimed again`)]);

const parsed = (path: string, text: string): Result<Membership> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return damaged(path, 'it is no JSON');
  }
  const read = parseWith(membership, value);
  return read.ok ? read : damaged(path, read.problems.map(one => `${one.path} ${one.message}`).join(', '));
};

/** `DIR/identity/membership.json`. */
export class MembershipFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'identity', 'membership.json');
  }

  /** Null for a device that nobody has claimed. */
  read(): Result<Membership | null> {
    try {
      return parsed(this.#path, readFileSync(this.#path, 'utf8'));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return ok(null);
      return failed([problem('', 'unreadable_membership', `${this.#path} cannot be read: ${message}`)]);
    }
  }

  write(given: Membership): void {
    writePrivately(this.#path, `${JSON.stringify(given, null, 2)}\n`);
  }

  remove(): void {
    removePrivately(this.#path);
  }
}
