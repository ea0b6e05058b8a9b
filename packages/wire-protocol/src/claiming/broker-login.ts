import type { DeviceId } from '@lintel/access-core/ids';
import { failed, createProblem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { certificateSerialSchema, epochMillisecondsSchema, wireProtocolVersionSchema } from '../mqtt/message-fields.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import {
  parseUnverifiedDocument,
  signDocument,
  verifyDocument,
  type SignBytes,
  type UnverifiedDocument,
} from '../signing/signed-document.ts';

/*
 * Password for the listener without TLS, which is bound to loopback: a document signed with the device key. The user
 * name is the device id. With TLS the certificate identifies the device instead.
 */

export const brokerLoginProofSchema = z.object({
  v: wireProtocolVersionSchema,
  device_id: idSchema('device'),
  serial: certificateSerialSchema,
  at: epochMillisecondsSchema,
});
export type BrokerLoginProof = z.infer<typeof brokerLoginProofSchema>;

const kind = { domain: 'lintel broker login 1', name: 'broker login', schema: brokerLoginProofSchema } as const;

/** Both run on one machine and share its clock. */
const LONGEST_AGE_MS = 5 * 60_000;

export const signBrokerLoginProof = (login: BrokerLoginProof, sign: SignBytes): string =>
  signDocument(kind, login, sign);

/** Names the certificate whose key verifies it. */
export const parseUnverifiedBrokerLoginProof = (text: string): Result<UnverifiedDocument<BrokerLoginProof>> =>
  parseUnverifiedDocument(kind, text);

export const verifyBrokerLoginProof = (
  document: UnverifiedDocument<BrokerLoginProof>,
  device: DeviceId,
  now: number,
  verify: (bytes: Uint8Array, signature: Uint8Array) => boolean,
): Result<BrokerLoginProof> => {
  const read = verifyDocument(document, verify);
  if (!read.ok) return read;
  if (read.value.device_id !== device) return failed([createProblem('device_id', 'wrong_device', `must be ${device}`)]);
  return Math.abs(read.value.at - now) > LONGEST_AGE_MS
    ? failed([createProblem('at', 'expired', 'is not the current time')])
    : read;
};
