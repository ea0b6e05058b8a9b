import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';
import {
  redeemClaimResponseSchema,
  type RedeemClaimResponse,
  type RenewCertificateResponse,
} from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { parseWithSchema } from '@lintel/wire-protocol/schema-parts/parse-with-schema';
import * as z from 'zod';
import { removePrivateFile, writePrivateFile } from '@lintel/service/data-folder/private-file';

const { device_id, organization_id, site_id, organization_key, bridge_url, brokers } = redeemClaimResponseSchema.shape;
const { v, serial, certificate, ca_certificate, renew_after, expires_at } = redeemClaimResponseSchema.shape;

/** The result of a claim: organization, site, certificate and brokers of the device. */
const enrollmentSchema = z.strictObject({
  v,
  device_id,
  organization_id,
  site_id,
  /** Null if the bridge did not send it. */
  product_id: z.string().nullable(),
  organization_key,
  /** The URL used for the claim, which is reachable from the device. */
  bridge_url,
  /** Of the bridge's HTTPS certificate, from the ticket. */
  ca_fingerprint: z.string().nullable(),
  serial,
  certificate,
  ca_certificate,
  renew_after,
  expires_at,
  brokers,
  /** Of the uploaded key for PIN and card digests. */
  digest_key_id: z.string().nullish(),
});
export type DeviceEnrollment = z.infer<typeof enrollmentSchema>;

const enrollmentFileSchema = enrollmentSchema.extend({ checksum: z.string().optional() });

/** Over the fields in the order of the schema. */
const checksumOf = (enrollment: DeviceEnrollment): string =>
  createHash('sha256')
    .update(JSON.stringify(enrollmentSchema.parse(enrollment)))
    .digest('hex');

const certificateFieldsOf = (answer: RenewCertificateResponse) => ({
  serial: answer.serial,
  certificate: answer.certificate,
  ca_certificate: answer.ca_certificate,
  renew_after: answer.renew_after,
  expires_at: answer.expires_at,
  brokers: { mqtts: answer.brokers.mqtts, mqtt: answer.brokers.mqtt },
});

export const toEnrollment = (
  answer: RedeemClaimResponse,
  {
    bridge_url,
    ca_fingerprint,
    digest_key_id,
  }: Pick<DeviceEnrollment, 'bridge_url' | 'ca_fingerprint' | 'digest_key_id'>,
): DeviceEnrollment => ({
  v: answer.v,
  device_id: answer.device_id,
  organization_id: answer.organization_id,
  site_id: answer.site_id,
  product_id: answer.product_id ?? null,
  organization_key: answer.organization_key,
  bridge_url,
  ca_fingerprint,
  ...certificateFieldsOf(answer),
  digest_key_id: digest_key_id ?? null,
});

/** `newDigestKeyId`: of a key uploaded with the renewal. */
export const toRenewedEnrollment = (
  before: DeviceEnrollment,
  answer: RenewCertificateResponse,
  newDigestKeyId: string | null,
): DeviceEnrollment => ({
  ...before,
  digest_key_id: newDigestKeyId ?? before.digest_key_id ?? null,
  ...certificateFieldsOf(answer),
});

const damaged = (path: string, why: string): Result<never> =>
  failed([createProblem('', 'damaged_membership', `${path} is damaged: ${why}. The device must be claimed again`)]);

const parsed = (path: string, text: string): Result<DeviceEnrollment> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return damaged(path, 'not valid JSON');
  }
  const read = parseWithSchema(enrollmentFileSchema, value);
  if (!read.ok) return damaged(path, read.problems.map(({ path: field, message }) => `${field} ${message}`).join(', '));
  const { checksum, ...enrollment } = read.value;
  // Without it, one wrong bit in an id would look like a claim by another organization, whose data replaces the present.
  return checksum === undefined || checksum === checksumOf(enrollment)
    ? ok(enrollment)
    : damaged(path, 'the checksum differs');
};

/** `DIR/identity/membership.json`. */
export class EnrollmentFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'identity', 'membership.json');
  }

  /** Null for an unclaimed device. */
  read(): Result<DeviceEnrollment | null> {
    try {
      return parsed(this.#path, readFileSync(this.#path, 'utf8'));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return ok(null);
      return failed([createProblem('', 'unreadable_membership', `${this.#path} cannot be read: ${message}`)]);
    }
  }

  write(enrollment: DeviceEnrollment): void {
    const content = { ...enrollment, checksum: checksumOf(enrollment) };
    writePrivateFile(this.#path, `${JSON.stringify(content, null, 2)}\n`);
  }

  remove(): void {
    removePrivateFile(this.#path);
  }
}
