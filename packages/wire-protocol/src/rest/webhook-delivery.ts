import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

export const webhookDeliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const webhookDeliveryResponseSchema = tolerantObjectSchema({
  id: idSchema('webhook_delivery'),
  organization_id: idSchema('organization'),
  webhook_id: idSchema('webhook'),
  event_id: idSchema('event'),
  created_at: dateTimeSchema,
  status: openEnumSchema(webhookDeliveryStatuses),
  /** Since the event, or since the last redelivery request. */
  attempts: z.int(),
  /** The URL of the last attempt. */
  request_url: z.string().nullable(),
  response_status: z.int().nullable(),
  /** Beginning of the receiver's response, if it was not a success. */
  response_body: z.string().nullable(),
  error: z.string().nullable(),
  /** How the delivered event differs from the configuration of the webhook. */
  note: z.string().nullable(),
  duration_ms: z.number().nullable(),
  last_attempt_at: dateTimeSchema.nullable(),
  next_attempt_at: dateTimeSchema.nullable(),
});
export type WebhookDeliveryResponse = z.infer<typeof webhookDeliveryResponseSchema>;
