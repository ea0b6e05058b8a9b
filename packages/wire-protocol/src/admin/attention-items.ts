import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

export const attentionKinds = [
  'incident',
  'door_forced',
  'door_held_open',
  'door_unlocked',
  'device_unconfirmed',
  'replaced_controller',
  'device_offline',
  'device_fault',
  'low_battery',
  'credentials_pending',
  'input_rules_conflict',
  'update_waiting',
  'update_halted',
  'webhook_failing',
] as const;

/** `fault` is the code of a device fault or the kind of an incident, `count` the number of members or devices concerned. */
const item = tolerantObjectSchema({
  kind: openEnumSchema(attentionKinds).describe('What needs attention'),
  severity: openEnumSchema(['alarm', 'warning', 'notice']).describe('How urgent it is'),
  text: z.string().describe('What needs attention, in words'),
  since: dateTimeSchema.nullable().describe('When it began, ISO 8601 in UTC. Null if not known'),
  site_id: idSchema('site').nullable().describe('Id of the site. Null if it is about none'),
  device_id: idSchema('device').nullable().describe('Id of the device. Null if it is about none'),
  gadget_id: idSchema('gadget').nullable().describe('Id of the gadget. Null if it is about none'),
  webhook_id: idSchema('webhook').nullable().describe('Id of the webhook. Null if it is about none'),
  oauth_application_id: idSchema('oauth_application')
    .nullable()
    .describe('Id of the OAuth application. Null if it is about none'),
  rollout_id: z.string().nullable().describe('Id of the roll-out. Null if it is about none'),
  incident_id: z.string().nullable().describe('Id of the incident. Null if it is about none'),
  fault: z.string().nullable().describe('Code of a device fault or kind of an incident. Null for other items'),
  address: z.string().nullable().describe('Where a replaced controller is in the network. Null for other items'),
  count: z.int().nullable().describe('Number of members or devices concerned. Null for other items'),
}).describe('Something that needs attention');

/** Everything that needs attention and that the caller may see, most severe first. */
export const attentionResponseSchema = tolerantObjectSchema({
  items: z.array(item).describe('What needs attention and the caller may see, most severe first'),
}).describe('Everything that needs attention');
export type AttentionResponse = z.infer<typeof attentionResponseSchema>;
export type AttentionItem = AttentionResponse['items'][number];
