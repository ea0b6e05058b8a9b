import * as z from 'zod';
import { eventResponseSchema } from '../rest/event.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** The objects of an event that an entry names. Null if the event has none, or if it is gone. */
export const auditedObjects = [
  'subject_member',
  'subject_user',
  'subject_oauth_application',
  'subject_device',
  'object_member',
  'object_gadget',
  'object_device',
  'object_member_group',
  'object_site',
  'object_schedule',
  'object_card',
  'object_tag',
  'object_user',
  'object_oauth_application',
] as const;

/** Names only. Doors also have the names of their actions, states and signals. */
const namedObject = tolerantObjectSchema({
  name: z.string().optional(),
  email: z.string().optional(),
  actions: z.array(z.unknown()).optional(),
  states: z.array(z.unknown()).optional(),
  signals: z.array(z.unknown()).optional(),
}).meta({ title: 'audited_object' });

/**
 * An event with what it changed: for each field the value before and after, null for none. Only fields that contain no
 * secret are here. `names` are those of the objects in the changes, by id, also of deleted ones.
 */
export const auditEntryResponseSchema = eventResponseSchema.extend({
  reason: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
  subject_member: namedObject.nullable(),
  subject_user: namedObject.nullable(),
  subject_oauth_application: namedObject.nullable(),
  subject_device: namedObject.nullable(),
  object_member: namedObject.nullable(),
  object_gadget: namedObject.nullable(),
  object_device: namedObject.nullable(),
  object_member_group: namedObject.nullable(),
  object_site: namedObject.nullable(),
  object_schedule: namedObject.nullable(),
  object_card: namedObject.nullable(),
  object_tag: namedObject.nullable(),
  object_user: namedObject.nullable(),
  object_oauth_application: namedObject.nullable(),
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).nullable(),
  names: z.record(z.string(), z.string()),
});
export type AuditEntryResponse = z.infer<typeof auditEntryResponseSchema>;
