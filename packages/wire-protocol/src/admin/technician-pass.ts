import * as z from 'zod';
import { technicianPublicKey } from '../claiming/technician-pass.ts';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

const DAY_SECONDS = 86_400;

/** One day by default, for one visit. */
export const technicianPassCreate = z.strictObject({
  site_id: idSchema('site'),
  /** Limits the pass to one controller of the site. */
  device_id: idSchema('device').nullish(),
  public_key: technicianPublicKey,
  expires_in: z
    .int()
    .min(60)
    .max(7 * DAY_SECONDS)
    .default(DAY_SECONDS),
});
export type TechnicianPassCreate = z.input<typeof technicianPassCreate>;

/** `pass` is the certificate of the technician's key, see `claiming/technician-pass.ts`. */
export const technicianPassResponse = tolerantObject({
  id: z.string(),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  device_id: idSchema('device').nullable(),
  pass: z.string(),
  expires_at: dateTime,
});
export type TechnicianPassResponse = z.infer<typeof technicianPassResponse>;
