import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

export const technicianPassCreate = z.strictObject({ site_id: idOf('site') });
export type TechnicianPassCreate = z.infer<typeof technicianPassCreate>;

/** `pass` is what the technician's phone shows to the controllers of the site, see `claiming/technician-pass.ts`. */
export const technicianPassAnswer = tolerantObject({
  id: z.string(),
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  pass: z.string(),
  expires_at: dateTime,
});
export type TechnicianPassAnswer = z.infer<typeof technicianPassAnswer>;
