import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

export const technicianPassCreate = z.strictObject({ site_id: idSchema('site') });
export type TechnicianPassCreate = z.infer<typeof technicianPassCreate>;

/**
 * `pass` is the document that the technician presents to the controllers of the site, see `claiming/technician-
 * pass.ts`.
 */
export const technicianPassResponse = tolerantObject({
  id: z.string(),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  pass: z.string(),
  expires_at: dateTime,
});
export type TechnicianPassResponse = z.infer<typeof technicianPassResponse>;
