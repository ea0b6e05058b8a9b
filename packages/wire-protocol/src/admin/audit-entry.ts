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
  name: z.string().optional().describe('Name of the object. Absent if it has none'),
  email: z
    .string()
    .nullish()
    .describe('Email address of a user or site. Null if it has none, absent for other objects'),
  actions: z.array(z.unknown()).optional().describe('Actions of a gadget. Absent for other objects'),
  states: z.array(z.unknown()).optional().describe('States of a gadget. Absent for other objects'),
  signals: z.array(z.unknown()).optional().describe('Signals of a gadget. Absent for other objects'),
}).meta({ title: 'audited_object', description: 'An object of the event, by name' });

/**
 * An event with what it changed: for each field the value before and after, null for none. Only fields that contain no
 * secret are here. `names` are those of the objects in the changes, by id, also of deleted ones.
 */
export const auditEntryResponseSchema = eventResponseSchema
  .extend({
    reason: z.string().nullable().describe('Why or in which way it happened. Null for most events'),
    details: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What happened, beyond the reason. Null for most events'),
    subject_member: namedObject.nullable().describe('Who acted, if it is a member. Null otherwise, and if it is gone'),
    subject_user: namedObject.nullable().describe('Who acted, if it is a user. Null otherwise, and if it is gone'),
    subject_oauth_application: namedObject
      .nullable()
      .describe('Who acted, if it is an OAuth application. Null otherwise, and if it is gone'),
    subject_device: namedObject.nullable().describe('Who acted, if it is a device. Null otherwise, and if it is gone'),
    object_member: namedObject
      .nullable()
      .describe('What was acted on, if it is a member. Null otherwise, and if it is gone'),
    object_gadget: namedObject
      .nullable()
      .describe('What was acted on, if it is a gadget. Null otherwise, and if it is gone'),
    object_device: namedObject
      .nullable()
      .describe('What was acted on, if it is a device. Null otherwise, and if it is gone'),
    object_member_group: namedObject
      .nullable()
      .describe('What was acted on, if it is a member group. Null otherwise, and if it is gone'),
    object_site: namedObject
      .nullable()
      .describe('What was acted on, if it is a site. Null otherwise, and if it is gone'),
    object_schedule: namedObject
      .nullable()
      .describe('What was acted on, if it is a schedule. Null otherwise, and if it is gone'),
    object_card: namedObject
      .nullable()
      .describe('What was acted on, if it is a card. Null otherwise, and if it is gone'),
    object_tag: namedObject.nullable().describe('What was acted on, if it is a tag. Null otherwise, and if it is gone'),
    object_user: namedObject
      .nullable()
      .describe('What was acted on, if it is a user. Null otherwise, and if it is gone'),
    object_oauth_application: namedObject
      .nullable()
      .describe('What was acted on, if it is an OAuth application. Null otherwise, and if it is gone'),
    changes: z
      .record(z.string(), z.tuple([z.unknown(), z.unknown()]).meta({ items: {}, minItems: 2, maxItems: 2 }))
      .nullable()
      .describe(
        'Value before and after, by field. Null values: none. Without fields that contain secrets. Null if nothing was edited',
      ),
    names: z.record(z.string(), z.string()).describe('Names of the objects in changes, by id, also of deleted ones'),
  })
  .describe('An event with what it changed');
export type AuditEntryResponse = z.infer<typeof auditEntryResponseSchema>;
