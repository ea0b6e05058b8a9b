import * as z from 'zod';
import { technicianPublicKeySchema } from '../claiming/technician-pass.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const DAY_SECONDS = 86_400;

/** One day by default, for one visit. */
export const createTechnicianPassRequestSchema = z.strictObject({
  site_id: idSchema('site'),
  device_id: idSchema('device')
    .nullish()
    .describe('Limits the pass to one controller of the site. Null or absent: all'),
  public_key: technicianPublicKeySchema.describe(
    'Public key of the technician: an uncompressed P-256 point, 65 bytes in base64url',
  ),
  expires_in: z
    .int()
    .min(60)
    .max(7 * DAY_SECONDS)
    .default(DAY_SECONDS)
    .describe('Validity in seconds, 60 to 604800'),
});

/** `pass` is the certificate of the technician's key, see `claiming/technician-pass.ts`. */
export const technicianPassResponseSchema = tolerantObjectSchema({
  id: z.string().describe('Id of the pass'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  device_id: idSchema('device').nullable().describe('Id of the only controller. Null: all of the site'),
  pass: z.string().describe("Certificate of the technician's key"),
  expires_at: dateTimeSchema.describe('End of validity, ISO 8601 in UTC'),
}).describe('Lets a technician sign in at controllers');
export type TechnicianPassResponse = z.infer<typeof technicianPassResponseSchema>;
