import * as z from 'zod';
import { dateTime, fineDateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { accessMethods } from './access-method.ts';
import { clientInfo } from './client-info.ts';
import { denialReasons, eventObjectTypes, eventVerbs } from './event-terms.ts';

const eventSubject = tolerantObject({
  member_id: idOf('member').nullish(),
  member_email_id: idOf('member_email').nullish(),
  member_magic_link_id: idOf('member_magic_link').nullish(),
  member_pin_id: idOf('member_pin').nullish(),
  member_card_id: idOf('member_card').nullish(),
  member_token_id: idOf('member_token').nullish(),
  user_id: idOf('user').nullish(),
  oauth_application_id: idOf('oauth_application').nullish(),
  device_id: idOf('device').nullish(),
  client: clientInfo.nullish(),
  ip_address: z.string().nullish(),
  access_method: openEnum(accessMethods).nullish(),
  time_trusted: z.boolean().nullish(),
});
export type EventSubject = z.infer<typeof eventSubject>;

const eventObject = tolerantObject({
  type: openEnum(eventObjectTypes),
  device_id: idOf('device').nullish(),
  gadget_id: idOf('gadget').nullish(),
  gadget_action_id: z.string().nullish(),
  gadget_state_id: z.string().nullish(),
  gadget_signal_id: z.string().nullish(),
  member_id: idOf('member').nullish(),
  member_email_id: idOf('member_email').nullish(),
  member_magic_link_id: idOf('member_magic_link').nullish(),
  member_group_id: idOf('member_group').nullish(),
  member_group_association_id: idOf('member_group_association').nullish(),
  member_pin_id: idOf('member_pin').nullish(),
  member_card_id: idOf('member_card').nullish(),
  member_token_id: idOf('member_token').nullish(),
  organization_id: idOf('organization').nullish(),
  site_id: idOf('site').nullish(),
  webhook_id: idOf('webhook').nullish(),
  hardware_id: idOf('hardware').nullish(),
  card_id: idOf('card').nullish(),
  schedule_id: idOf('schedule').nullish(),
  tag_id: idOf('tag').nullish(),
  gadget_trigger_id: idOf('gadget_trigger').nullish(),
  user_id: idOf('user').nullish(),
  oauth_application_id: idOf('oauth_application').nullish(),
  claim_ticket_id: idOf('claim_ticket').nullish(),
});
export type EventObject = z.infer<typeof eventObject>;

/** `created_at` and `occurred_at` are when it happened, `recorded_at` is when the bridge committed it. */
export const eventAnswer = tolerantObject({
  id: idOf('event'),
  organization_id: idOf('organization'),
  subject: eventSubject,
  verb: openEnum(eventVerbs),
  object: eventObject,
  reason: openEnum(denialReasons).nullish(),
  created_at: dateTime,
  occurred_at: dateTime,
  recorded_at: fineDateTime,
});
export type EventAnswer = z.infer<typeof eventAnswer>;
