import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** `GET /technician/v1/hello`, available without login. */
export const technicianHello = tolerantObject({
  product_id: z.string(),
  /** The host name: `lintel-7f3a`. */
  name: z.string(),
  claimed: z.boolean(),
  firmware: z.string(),
  /** SHA-256 of the certificate, as printed on the label. */
  fingerprint: z.string(),
  /**
   * The accepted logins: the setup code until the controller is claimed, then a technician pass; the setup button
   * enables the code again.
   */
  login: z.array(z.enum(['code', 'pass'])),
});
export type TechnicianHello = z.infer<typeof technicianHello>;

/** `POST /technician/v1/login`: the setup code, or a technician pass for the site. */
export const technicianLoginRequest = z
  .strictObject({ code: z.string().min(1).max(64).optional(), pass: z.string().min(1).max(8192).optional() })
  .check(({ value: { code, pass }, issues }) => {
    if ((code === undefined) !== (pass === undefined)) return;
    issues.push({ code: 'custom', input: code, path: ['code'], message: 'or pass must be set, but not both' });
  });
export type TechnicianLoginRequest = z.infer<typeof technicianLoginRequest>;

export const technicianSession = tolerantObject({
  /** Sent as `Authorization: Bearer`; browsers also get it as a cookie. */
  token: z.string(),
  by: z.enum(['code', 'pass']),
  user_id: idSchema('user').nullable(),
  expires_at: dateTime,
  /** The session ends earlier after this idle time. */
  idle_seconds: z.int(),
});
export type TechnicianSession = z.infer<typeof technicianSession>;
