import * as z from 'zod';
import { base64url32BytesSchema } from '../schema-parts/base64url-32-bytes.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** How long a reader waits for the card that is enrolled. */
export const CARD_ENROLLMENT_TIMEOUT_MS = 60_000;

/** `POST /technician/v1/enroll_card`, which only the bridge sends. */
export const technicianCardEnrollmentRequestSchema = z.strictObject({
  /** The bridge's X25519 key for this request: brokers and gateways must not read the UID. */
  public_key: base64url32BytesSchema,
  /** Default: any reader of the controller. */
  station: z.string().min(1).max(64).nullish(),
});

export const technicianCardEnrollmentResponseSchema = tolerantObjectSchema({
  outcome: z.enum(['card', 'phone', 'magic_link', 'random_uid', 'no_card']),
  /** The reader; null without a tap. */
  station: z.string().max(64).nullable(),
  /** The UID, sealed for the key of the request; null unless a card was read. */
  sealed_uid: z.string().max(200).nullable(),
});
export type TechnicianCardEnrollmentResponse = z.infer<typeof technicianCardEnrollmentResponseSchema>;
