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
  device_id: idSchema('device').nullish().describe('Id of the device that acted. Null or absent otherwise'),
  client: eventClientInfoSchema.nullish().describe('App or browser with which the subject acted'),
  ip_address: z.string().nullish().describe('IP address of the subject. Null or absent if not known'),
  access_method: openEnumSchema(accessMethods, 'access_method')
    .nullish()
    .describe(
      'How the request reached the door: through the cloud, Bluetooth, phone NFC, PIN or card. Null or absent for other events',
    ),
  time_trusted: z
    .boolean()
    .nullish()
    .describe('Whether the controller knew the time when it decided. Null or absent if no controller decided'),
}).describe(
  'Who acted: a member with a credential, a user, an application or a device. Other fields are absent or null',
);

const eventObject = tolerantObjectSchema({
  type: openEnumSchema(eventObjectTypes).describe(
    'Kind of object. The id fields name the object and those that it belongs to',
  ),
  device_id: idSchema('device').nullish(),
  gadget_id: idSchema('gadget').nullish(),
  gadget_action_id: z.string().nullish().describe('Id of the action in actions of the gadget'),
  gadget_state_id: z.string().nullish().describe('Id of the state in states of the gadget'),
  gadget_signal_id: z.string().nullish().describe('Id of the signal in signals of the gadget'),
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
  technician_pass_id: z.string().nullish().describe('Id of the technician pass'),
}).describe('What was acted on. Ids that do not apply are absent or null');

/**
 * What happened, beyond the reason. `device_time` is what the clock of the controller showed before its time was corrected,
 * `reported_time` a time that cannot be right, for which `occurred_at` is the time of the commit. `reported_kind` and
 * `reported_reason` are values of a newer controller. The location is that of the phone: `41.4,2.2`, accurate to meters.
 */
const eventDetails = tolerantObjectSchema({
  fault: z.string().nullish().describe('Kind of fault'),
  detail: z.string().nullish().describe('More about what happened, for people'),
  device_time: z.string().nullish().describe('What the clock of the controller showed before its time was corrected'),
  reported_time: z
    .string()
    .nullish()
    .describe('Reported time that cannot be right. occurred_at is then the time of the commit'),
  reported_kind: z.string().nullish().describe('Kind of the event in the report of a newer controller'),
  reported_reason: z.string().nullish().describe('Reason in the report of a newer controller'),
  location: z.string().nullish().describe('Location of the phone: latitude and longitude in degrees, such as 41.4,2.2'),
  location_accuracy: z.string().nullish().describe('Accuracy of the location, in meters'),
  last_received: z
    .string()
    .nullish()
    .describe('Number of the last event that arrived from a replaced controller. Later ones may be missing'),
  lost_count: z.string().nullish().describe('Number of lost events'),
  lost_first: z.string().nullish().describe('Number of the first lost event'),
  lost_last: z.string().nullish().describe('Number of the last lost event'),
  lost_at_most: z.string().nullish().describe('`true` if some of these events may never have existed'),
  lost_from: z.string().nullish().describe('Time of the first lost event, ISO 8601 in UTC. Absent if not known'),
  lost_to: z.string().nullish().describe('Time of the last lost event, ISO 8601 in UTC. Absent if not known'),
}).meta({
  title: 'event_details',
  description: 'What happened, beyond the reason. All values are texts. Those that do not apply are absent or null',
});

/** `created_at` and `occurred_at` are when the event happened, `recorded_at` is when the bridge committed it. */
export const eventResponseSchema = tolerantObjectSchema({
  id: idSchema('event'),
  organization_id: idSchema('organization'),
  subject: eventSubject.describe('Who acted'),
  verb: openEnumSchema(eventVerbs).describe(
    'What happened. deny: access was refused. reveal: a secret was shown. check: a diagnosis',
  ),
  object: eventObject.describe('What was acted on'),
  // Documented as any text, too: a list of values alone would make generated clients refuse reasons of a newer bridge.
  reason: z
    .union([
      openEnumSchema(eventReasons, 'event_reason').describe('Why or in which way something happened'),
      z.string().describe('A reason of a newer version'),
      z.null(),
    ])
    .optional()
    .describe('Why or in which way it happened. Null or absent for most events'),
  details: eventDetails.nullish().describe('What happened, beyond the reason. Null or absent for most events'),
  created_at: dateTimeSchema.describe(
    'When it happened, ISO 8601 in UTC. For events that an offline device kept, the moment of the action, not of the report',
  ),
  occurred_at: dateTimeSchema.describe('The same instant as created_at'),
  recorded_at: microsecondDateTimeSchema.describe(
    'When the bridge stored the event, ISO 8601 in UTC with microseconds. Order of streams and webhooks',
  ),
}).describe('Something that happened in the organization: a subject did something to an object');
export type EventResponse = z.infer<typeof eventResponseSchema>;
