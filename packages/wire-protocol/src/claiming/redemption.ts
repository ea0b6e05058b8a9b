import type { DeviceId } from '@lintel/access-core/ids';
import * as z from 'zod';
import { certificateSerial, digestKeyId, milliseconds, version } from '../mqtt/message-fields.ts';
import { claimedCapabilities } from '../rest/device.ts';
import { gadgetCreate } from '../rest/gadget.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { nameText, plainText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { lengthPrefixed } from '../encoding/length-prefixed.ts';
import { publicKey } from './public-key.ts';

/*
 * `POST /claim/v1/redeem`: a controller with a ticket, or the code of one, becomes a device of the organization.
 * `POST /claim/v1/renew`: a device gets its next certificate, before the one it has expires.
 */

/** A PKCS #10 request in PEM for the controller's Ed25519 key, which then signs its events too. */
const csr = z.string().min(1).max(4096);

/** What PINs and cards are digested with, see `credential-digest.ts`. Made on the controller and said over TLS only. */
const digestKey = z.strictObject({
  id: digestKeyId,
  key: z.string().regex(/^[A-Za-z0-9_-]{43}$/, { error: 'must be 32 bytes in base64url' }),
});

export const redemption = z
  .strictObject({
    v: version,
    ticket: z.string().min(1).max(8192).optional(),
    code: z.string().min(1).max(64).optional(),
    csr,
    digest_key: digestKey,
    hardware_id: idOf('hardware'),
    /** Null for the product of the device that the ticket names. */
    product_id: plainText(64, 1).nullable(),
    revision_id: plainText(64, 1).nullable(),
    /** What `product_id` and `revision_id` stand for, where the bridge may not know: not every profile comes with it. */
    product: z.strictObject({ name: nameText(1), capabilities: claimedCapabilities }).optional(),
    /** For a ticket that makes a new device: what it is called and what hangs on it. */
    name: nameText(1).optional(),
    gadgets: z.array(gadgetCreate).max(64).optional(),
  })
  .check(({ value: { ticket, code }, issues }) => {
    if ((ticket === undefined) !== (code === undefined)) return;
    issues.push({ code: 'custom', input: code, path: ['ticket'], message: 'must be set, or code, but not both' });
  });
export type Redemption = z.input<typeof redemption>;

/** Where the brokers are that the device may use. */
const brokers = tolerantObject({
  mqtts: z.string().nullable(),
  /** On the bridge's own machine only. */
  mqtt: z.string().nullable(),
});

const issued = {
  v: version,
  device_id: idOf('device'),
  serial: certificateSerial,
  /** In PEM: the device's own, and the authority's that issued it. */
  certificate: z.string(),
  ca_certificate: z.string(),
  renew_after: milliseconds,
  expires_at: milliseconds,
} as const;

export const redeemed = tolerantObject({
  ...issued,
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  /** Left out by a bridge that is older than this field. */
  product_id: z.string().optional(),
  organization_key: publicKey,
  bridge_url: z.string(),
  brokers,
});
export type Redeemed = z.infer<typeof redeemed>;

/** Signed by the key of the certificate that it names, so that it needs no clock: what comes of it suits only that device. */
export const renewal = z.strictObject({
  v: version,
  device_id: idOf('device'),
  serial: certificateSerial,
  /** For the same key, or for a new one. */
  csr,
  /** Another one from now on; the slice comes anew. */
  digest_key: digestKey.nullable(),
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/, { error: 'must be 64 bytes in base64url' }),
});
export type Renewal = z.infer<typeof renewal>;

export const renewed = tolerantObject({ ...issued, brokers });
export type Renewed = z.infer<typeof renewed>;

const DOMAIN = 'lintel certificate renewal 1';
const utf8 = new TextEncoder();

export interface RenewalContent extends Pick<Renewal, 'serial' | 'csr' | 'digest_key'> {
  readonly device_id: DeviceId;
}

export const renewalSigningBytes = ({ device_id, serial, csr, digest_key }: RenewalContent): Uint8Array =>
  lengthPrefixed(
    [DOMAIN, device_id, serial, csr, digest_key?.id ?? '', digest_key?.key ?? ''].map(text => utf8.encode(text)),
  );
