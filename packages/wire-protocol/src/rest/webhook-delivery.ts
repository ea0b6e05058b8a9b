import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const webhookDeliveryAnswer = tolerantObject({
  id: idOf('webhook_delivery'),
  organization_id: idOf('organization'),
  webhook_id: idOf('webhook'),
  event_id: idOf('event'),
  created_at: dateTime,
  status: openEnum(deliveryStatuses),
  /** Since the event, or since it was last ordered to be delivered again. */
  attempts: z.int(),
  /** Where the last attempt went. */
  request_url: z.string().nullable(),
  response_status: z.int().nullable(),
  /** How the receiver's answer began, when it was no success. */
  response_body: z.string().nullable(),
  error: z.string().nullable(),
  duration_ms: z.number().nullable(),
  last_attempt_at: dateTime.nullable(),
  next_attempt_at: dateTime.nullable(),
});
export type WebhookDeliveryAnswer = z.infer<typeof webhookDeliveryAnswer>;
