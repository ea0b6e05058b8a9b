import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `GET /technician/v1/hello`, available without login. */
export const technicianHelloResponseSchema = tolerantObjectSchema({
  product_id: z.string(),
  /** The host name: `lintel-7f3a`. */
  name: z.string(),
  claimed: z.boolean(),
  firmware: z.string(),
  /** SHA-256 of the certificate, as printed on the label. */
  fingerprint: z.string(),
  /** Null until the controller is claimed. */
  device_id: idSchema('device').nullable(),
  /** Where the technician gets a pass. Null until the controller is claimed. */
  bridge_url: z.string().nullable(),
  /**
   * The accepted logins: the setup code until the controller is claimed, then a technician pass; the setup button
   * enables the code again.
   */
  login: z.array(z.enum(['code', 'pass'])),
});
export type TechnicianHelloResponse = z.infer<typeof technicianHelloResponseSchema>;

/** `POST /technician/v1/challenge`, for a login with a pass. Names the controller that the proof is valid for. */
export const technicianChallengeResponseSchema = tolerantObjectSchema({
  /** 32 random bytes in base64url. Valid for one login. */
  challenge: z.string(),
  device_id: idSchema('device'),
  /** SHA-256 of the certificate of the controller's page. A client that sees the certificate must compare them. */
  fingerprint: z.string(),
  /** Seconds. */
  expires_in: z.int(),
});
export type TechnicianChallengeResponse = z.infer<typeof technicianChallengeResponseSchema>;

/**
 * `POST /technician/v1/login`: the setup code, or a technician pass for the site with the proof that the technician has
 * its key, see `login-proof.ts`.
 */
export const technicianLoginRequestSchema = z
  .strictObject({
    code: z.string().min(1).max(64).optional(),
    pass: z.string().min(1).max(8192).optional(),
    challenge: z.string().min(1).max(100).optional(),
    signature: z
      .string()
      .regex(/^[A-Za-z0-9_-]{86}$/, { error: 'must be 64 bytes in base64url' })
      .optional(),
  })
  .check(({ value: { code, pass, challenge, signature }, issues }) => {
    const report = (field: string, message: string): void =>
      void issues.push({ code: 'custom', input: code, path: [field], message });
    if ((code === undefined) === (pass === undefined)) report('code', 'or pass must be set, but not both');
    const proof = { challenge, signature };
    for (const [field, value] of Object.entries(proof)) {
      if (pass !== undefined && value === undefined)
        report(field, 'is missing: a pass is accepted only with the signature of a challenge by its key');
      if (pass === undefined && value !== undefined) report(field, 'is only for a login with a pass');
    }
  });
export type TechnicianLoginRequest = z.infer<typeof technicianLoginRequestSchema>;

export const technicianSessionResponseSchema = tolerantObjectSchema({
  /** Sent as `Authorization: Bearer`; browsers also get it as a cookie. */
  token: z.string(),
  by: z.enum(['code', 'pass']),
  user_id: idSchema('user').nullable(),
  expires_at: dateTimeSchema,
  /** The session ends earlier after this idle time. */
  idle_seconds: z.int(),
});
export type TechnicianSessionResponse = z.infer<typeof technicianSessionResponseSchema>;
