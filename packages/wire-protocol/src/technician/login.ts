import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** `GET /technician/v1/hello`, which anybody on the network may ask. */
export const technicianHello = tolerantObject({
  product_id: z.string(),
  /** The name on the network: `lintel-7f3a`. */
  name: z.string(),
  claimed: z.boolean(),
  firmware: z.string(),
  /** SHA-256 of the certificate, as it is printed on the label. */
  fingerprint: z.string(),
  /** What opens the controller now: the code until it is claimed, then a pass; the button brings the code back. */
  login: z.array(z.enum(['code', 'pass'])),
});
export type TechnicianHello = z.infer<typeof technicianHello>;

/** `POST /technician/v1/login`: the setup code, or a technician pass of the site. */
export const technicianLogin = z
  .strictObject({ code: z.string().min(1).max(64).optional(), pass: z.string().min(1).max(8192).optional() })
  .check(({ value: { code, pass }, issues }) => {
    if ((code === undefined) !== (pass === undefined)) return;
    issues.push({ code: 'custom', input: code, path: ['code'], message: 'must be set, or pass, but not both' });
  });
export type TechnicianLogin = z.infer<typeof technicianLogin>;

export const technicianSession = tolerantObject({
  /** To be sent as `Authorization: Bearer`; browsers have it as a cookie too. */
  token: z.string(),
  by: z.enum(['code', 'pass']),
  user_id: idOf('user').nullable(),
  expires_at: dateTime,
  /** It ends earlier when it is not used for so long. */
  idle_seconds: z.int(),
});
export type TechnicianSession = z.infer<typeof technicianSession>;
