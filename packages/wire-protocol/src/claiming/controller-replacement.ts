import * as z from 'zod';
import { certificateSerialSchema, epochMillisecondsSchema, wireProtocolVersionSchema } from '../mqtt/message-fields.ts';
import { encodeLengthPrefixed } from '../encoding/length-prefixed.ts';
import { failed, createProblem, type Result } from '@lintel/access-core/result';
import { idSchema } from '../schema-parts/identifier.ts';
import { plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { signDocument, verifyAndParseSignedDocument, type SignBytes } from '../signing/signed-document.ts';

/*
 * `POST /claim/v1/replacement`: a controller that the broker refuses asks whether another one has taken its place. The
 * answer is signed by the organization, because the controller denies access after it.
 */

const nonce = z.string().regex(/^[A-Za-z0-9_-]{22}$/, { error: 'must be 16 bytes in base64url' });

/** Signed by the key of the named certificate. */
export const controllerReplacementRequestSchema = z.strictObject({
  v: wireProtocolVersionSchema,
  device_id: idSchema('device'),
  serial: certificateSerialSchema,
  nonce,
  /** Where the technician page of the controller is, so that people find it; null if unknown. */
  address: plainTextSchema(128, 1).nullable(),
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/, { error: 'must be 64 bytes in base64url' }),
});
export type ControllerReplacementRequest = z.infer<typeof controllerReplacementRequestSchema>;

const DOMAIN = 'lintel controller replacement request 1';

export const encodeControllerReplacementSigningBytes = ({
  device_id,
  serial,
  nonce: asked,
  address,
}: Omit<ControllerReplacementRequest, 'v' | 'signature'>): Uint8Array =>
  encodeLengthPrefixed([DOMAIN, device_id, serial, asked, address ?? '']);

/** `replacement`: a signed document; null if no other controller has taken its place. */
export const controllerReplacementResponseSchema = tolerantObjectSchema({
  v: wireProtocolVersionSchema,
  replacement: z.string().max(4096).nullable(),
});
export type ControllerReplacementResponse = z.infer<typeof controllerReplacementResponseSchema>;

const replacementSchema = z.object({
  v: wireProtocolVersionSchema,
  device_id: idSchema('device'),
  /** Of the certificate of the controller that was replaced. */
  serial: certificateSerialSchema,
  /** Of the request. */
  nonce,
  replaced_at: epochMillisecondsSchema,
});
export type ControllerReplacement = z.infer<typeof replacementSchema>;

const kind = {
  domain: 'lintel controller replacement 1',
  name: 'statement of a replacement',
  schema: replacementSchema,
} as const;

export const signControllerReplacement = (replacement: ControllerReplacement, sign: SignBytes): string =>
  signDocument(kind, replacement, sign);

/** `verify`: with the key of the organization. The statement must answer this request. */
export const readVerifiedControllerReplacement = (
  text: string,
  { device_id, serial, nonce: asked }: Pick<ControllerReplacementRequest, 'device_id' | 'serial' | 'nonce'>,
  verify: (bytes: Uint8Array, signature: Uint8Array) => boolean,
): Result<ControllerReplacement> => {
  const read = verifyAndParseSignedDocument(kind, text, (_, ...signed) => verify(...signed));
  if (!read.ok) return read;
  const { value } = read;
  if (value.device_id === device_id && value.serial === serial && value.nonce === asked) return read;
  return failed([createProblem('', 'other_request', 'The statement is for another controller or another request')]);
};
