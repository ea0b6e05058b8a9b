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
  kind: openEnumSchema(attentionKinds),
  severity: openEnumSchema(['alarm', 'warning', 'notice']),
  text: z.string(),
  since: dateTimeSchema.nullable(),
  site_id: idSchema('site').nullable(),
  device_id: idSchema('device').nullable(),
  gadget_id: idSchema('gadget').nullable(),
  webhook_id: idSchema('webhook').nullable(),
  oauth_application_id: idSchema('oauth_application').nullable(),
  rollout_id: z.string().nullable(),
  incident_id: z.string().nullable(),
  fault: z.string().nullable(),
  count: z.int().nullable(),
});

/** Everything that needs attention and that the caller may see, most severe first. */
export const attentionResponseSchema = tolerantObjectSchema({ items: z.array(item) });
export type AttentionResponse = z.infer<typeof attentionResponseSchema>;
export type AttentionItem = AttentionResponse['items'][number];
