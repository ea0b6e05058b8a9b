import * as z from 'zod';
import { technicianPublicKeySchema } from '../claiming/technician-pass.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const DAY_SECONDS = 86_400;

/** One day by default, for one visit. */
export const createTechnicianPassRequestSchema = z.strictObject({
  site_id: idSchema('site'),
  /** Limits the pass to one controller of the site. */
  device_id: idSchema('device').nullish(),
  public_key: technicianPublicKeySchema,
  expires_in: z
    .int()
    .min(60)
    .max(7 * DAY_SECONDS)
    .default(DAY_SECONDS),
});

/** `pass` is the certificate of the technician's key, see `claiming/technician-pass.ts`. */
export const technicianPassResponseSchema = tolerantObjectSchema({
  id: z.string(),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  device_id: idSchema('device').nullable(),
  pass: z.string(),
  expires_at: dateTimeSchema,
});
export type TechnicianPassResponse = z.infer<typeof technicianPassResponseSchema>;
