import * as z from 'zod';
import { eventResponseSchema } from '../rest/event.ts';

/**
 * An event with what it changed: for each field the value before and after, null for none. Only fields that contain no
 * secret are here. `names` are those of the objects in the changes, by id, also of deleted ones.
 */
export const auditEntryResponseSchema = eventResponseSchema
  .extend({
    changes: z
      .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
      .nullable()
      .describe(
        'Value before and after, by field. Null values: none. Without fields that contain secrets. Null if nothing was edited',
      ),
    names: z.record(z.string(), z.string()).describe('Names of the objects in changes, by id, also of deleted ones'),
  })
  .describe('An event with what it changed');
export type AuditEntryResponse = z.infer<typeof auditEntryResponseSchema>;
