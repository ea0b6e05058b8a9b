import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';

/** Fields that many objects have, with the description of each. */
export const isDeletedSchema = z.boolean().describe('true after the object has been deleted');

export const createdAtSchema = dateTimeSchema.describe(
  'Time of creation: ISO 8601 in UTC with milliseconds and Z, such as 2026-05-04T09:30:00.000Z',
);
