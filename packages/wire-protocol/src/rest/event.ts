import { accessMethods } from '@lintel/access-core/access-data-types';
import * as z from 'zod';
import { actingSubjectIdFields } from '../schema-parts/acting-subject-ids.ts';
import { dateTimeSchema, microsecondDateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { eventClientInfoSchema } from './event-client-info.ts';
import { eventReasons } from './event-reasons.ts';
import { eventObjectTypes, eventVerbs } from './event-verbs-and-object-types.ts';

const eventSubject = tolerantObjectSchema({
  ...actingSubjectIdFields,
  device_id: idSchema('device').nullish(),
  client: eventClientInfoSchema.nullish(),
  ip_address: z.string().nullish(),
  access_method: openEnumSchema(accessMethods, 'access_method').nullish(),
  time_trusted: z.boolean().nullish(),
});

const eventObject = tolerantObjectSchema({
  type: openEnumSchema(eventObjectTypes),
  device_id: idSchema('device').nullish(),
  gadget_id: idSchema('gadget').nullish(),
  gadget_action_id: z.string().nullish(),
  gadget_state_id: z.string().nullish(),
  gadget_signal_id: z.string().nullish(),
  member_id: idSchema('member').nullish(),
  member_email_id: idSchema('member_email').nullish(),
  member_magic_link_id: idSchema('member_magic_link').nullish(),
  member_group_id: idSchema('member_group').nullish(),
  member_group_association_id: idSchema('member_group_association').nullish(),
  member_pin_id: idSchema('member_pin').nullish(),
  member_card_id: idSchema('member_card').nullish(),
  member_token_id: idSchema('member_token').nullish(),
  organization_id: idSchema('organization').nullish(),
  site_id: idSchema('site').nullish(),
  webhook_id: idSchema('webhook').nullish(),
  hardware_id: idSchema('hardware').nullish(),
  card_id: idSchema('card').nullish(),
  schedule_id: idSchema('schedule').nullish(),
  tag_id: idSchema('tag').nullish(),
  gadget_trigger_id: idSchema('gadget_trigger').nullish(),
  user_id: idSchema('user').nullish(),
  oauth_application_id: idSchema('oauth_application').nullish(),
  claim_ticket_id: idSchema('claim_ticket').nullish(),
  technician_pass_id: z.string().nullish(),
});

/**
 * What happened, beyond the reason. `device_time` is what the clock of the controller showed before its time was corrected,
 * `reported_time` a time that cannot be right, for which `occurred_at` is the time of the commit. `reported_kind` and
 * `reported_reason` are values of a newer controller. The location is that of the phone: `41.4,2.2`, accurate to meters.
 */
const eventDetails = tolerantObjectSchema({
  fault: z.string().nullish(),
  detail: z.string().nullish(),
  device_time: z.string().nullish(),
  reported_time: z.string().nullish(),
  reported_kind: z.string().nullish(),
  reported_reason: z.string().nullish(),
  location: z.string().nullish(),
  location_accuracy: z.string().nullish(),
  lost_count: z.string().nullish(),
  lost_first: z.string().nullish(),
  lost_last: z.string().nullish(),
  lost_from: z.string().nullish(),
  lost_to: z.string().nullish(),
}).meta({ title: 'event_details' });

/** `created_at` and `occurred_at` are when the event happened, `recorded_at` is when the bridge committed it. */
export const eventResponseSchema = tolerantObjectSchema({
  id: idSchema('event'),
  organization_id: idSchema('organization'),
  subject: eventSubject,
  verb: openEnumSchema(eventVerbs),
  object: eventObject,
  // Documented as any text, too: a list of values alone would make generated clients refuse reasons of a newer bridge.
  reason: z
    .union([openEnumSchema(eventReasons, 'event_reason'), z.string().describe('A reason of a newer version'), z.null()])
    .optional(),
  details: eventDetails.nullish(),
  created_at: dateTimeSchema,
  occurred_at: dateTimeSchema,
  recorded_at: microsecondDateTimeSchema,
});
export type EventResponse = z.infer<typeof eventResponseSchema>;
