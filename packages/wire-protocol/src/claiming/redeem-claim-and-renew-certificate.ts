import { createExactlyOneFieldCheck } from '../rest/field-choice-checks.ts';
import type { DeviceId } from '@lintel/access-core/ids';
import * as z from 'zod';
import {
  certificateSerialSchema,
  digestKeyIdSchema,
  epochMillisecondsSchema,
  wireProtocolVersionSchema,
} from '../mqtt/message-fields.ts';
import { declaredCapabilitiesSchema } from '../rest/device.ts';
import { createGadgetRequestSchema } from '../rest/gadget.ts';
import { base64url32BytesSchema } from '../schema-parts/base64url-32-bytes.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { encodeLengthPrefixed } from '../encoding/length-prefixed.ts';

/*
 * `POST /claim/v1/redeem`: a controller with a ticket or its code becomes a device of the organization. `POST
 * /claim/v1/renew`: a device gets its next certificate before the current one expires.
 */

/** A PKCS #10 request in PEM for the controller's Ed25519 key, which also signs its events. */
const csr = z.string().min(1).max(4096);

/**
 * The key for digests of PINs and cards, see `credential-digest-input.ts`. Created on the controller and sent over TLS only.
 */
const digestKey = z.strictObject({
  id: digestKeyIdSchema,
  key: base64url32BytesSchema,
});

export const redeemClaimRequestSchema = z
  .strictObject({
    v: wireProtocolVersionSchema,
    ticket: z.string().min(1).max(8192).optional(),
    code: z.string().min(1).max(64).optional(),
    csr,
    digest_key: digestKey,
    hardware_id: idSchema('hardware'),
    /** Null: the product of the device that the ticket names. */
    product_id: plainTextSchema(64, 1).nullable(),
    revision_id: plainTextSchema(64, 1).nullable(),
    /** Describes `product_id` and `revision_id`, because the bridge may not know a custom profile. */
    product: z.strictObject({ name: nameTextSchema(1), capabilities: declaredCapabilitiesSchema }).optional(),
    /** For a ticket that creates a new device: its name and gadgets. */
    name: nameTextSchema(1).optional(),
    gadgets: z.array(createGadgetRequestSchema).max(64).optional(),
  })
  .check(createExactlyOneFieldCheck('ticket', 'code'));
export type RedeemClaimRequest = z.input<typeof redeemClaimRequestSchema>;

/** Addresses of the brokers for the device. */
const brokers = tolerantObjectSchema({
  mqtts: z.string().nullable(),
  /** On the bridge's own machine only. */
  mqtt: z.string().nullable(),
});

const issued = {
  v: wireProtocolVersionSchema,
  device_id: idSchema('device'),
  serial: certificateSerialSchema,
  /** The device certificate and the CA certificate, in PEM. */
  certificate: z.string(),
  ca_certificate: z.string(),
  renew_after: epochMillisecondsSchema,
  expires_at: epochMillisecondsSchema,
} as const;

export const redeemClaimResponseSchema = tolerantObjectSchema({
  ...issued,
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  /** Absent in responses of older bridges. */
  product_id: z.string().optional(),
  organization_key: base64url32BytesSchema,
  bridge_url: z.string(),
  brokers,
  /** False: the controller gets no members until an administrator has confirmed it. Absent in responses of older bridges. */
  is_confirmed: z.boolean().optional(),
});
export type RedeemClaimResponse = z.infer<typeof redeemClaimResponseSchema>;

/**
 * Signed by the key of the named certificate. Needs no timestamp, because the response is useful to that device only.
 */
export const renewCertificateRequestSchema = z.strictObject({
  v: wireProtocolVersionSchema,
  device_id: idSchema('device'),
  serial: certificateSerialSchema,
  /** For the same key or a new one. */
  csr,
  /** A new digest key; the snapshot is then synced again. */
  digest_key: digestKey.nullable(),
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/, { error: 'must be 64 bytes in base64url' }),
});
export type RenewCertificateRequest = z.infer<typeof renewCertificateRequestSchema>;

export const renewCertificateResponseSchema = tolerantObjectSchema({ ...issued, brokers });
export type RenewCertificateResponse = z.infer<typeof renewCertificateResponseSchema>;

const DOMAIN = 'lintel certificate renewal 1';

export interface CertificateRenewalContent extends Pick<RenewCertificateRequest, 'serial' | 'csr' | 'digest_key'> {
  readonly device_id: DeviceId;
}

export const encodeCertificateRenewalSigningBytes = ({
  device_id,
  serial,
  csr,
  digest_key,
}: CertificateRenewalContent): Uint8Array =>
  encodeLengthPrefixed([DOMAIN, device_id, serial, csr, digest_key?.id ?? '', digest_key?.key ?? '']);
