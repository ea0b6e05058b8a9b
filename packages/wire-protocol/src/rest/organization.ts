import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { metadata } from './metadata.ts';

export const organizationResponse = tolerantObject({
  id: idSchema('organization'),
  name: z.string(),
  is_deleted: z.boolean(),
  created_at: dateTime,
  metadata,
});
export type OrganizationResponse = z.infer<typeof organizationResponse>;
