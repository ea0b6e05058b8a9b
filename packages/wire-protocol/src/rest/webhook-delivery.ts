import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema } from './common-fields.ts';

export const webhookDeliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export const webhookDeliveryResponseSchema = tolerantObjectSchema({
  id: idSchema('webhook_delivery'),
  organization_id: idSchema('organization'),
  webhook_id: idSchema('webhook'),
  event_id: idSchema('event'),
  created_at: createdAtSchema,
  status: openEnumSchema(webhookDeliveryStatuses).describe(
    'pending: attempts follow. delivered: a response was 2xx. failed: attempts ended',
  ),
  attempts: z.int().describe('Number of attempts since the event, or since the last redelivery request'),
  request_url: z.string().nullable().describe('URL of the last attempt. Null before the first attempt'),
  response_status: z.int().nullable().describe('HTTP status of the last response. Null if there was none'),
  response_body: z
    .string()
    .nullable()
    .describe('First 1000 characters of the last response, if it was not 2xx. Null otherwise'),
  error: z.string().nullable().describe('Why the last attempt failed. Null if it did not fail'),
  note: z
    .string()
    .nullable()
    .describe(
      'How the delivered event differs from the configuration of the webhook, such as missing expands. Null: not at all',
    ),
  duration_ms: z
    .number()
    .nullable()
    .describe('Duration of the last attempt, in milliseconds. Null before the first attempt'),
  last_attempt_at: dateTimeSchema
    .nullable()
    .describe('Time of the last attempt, ISO 8601 in UTC. Null before the first attempt'),
  next_attempt_at: dateTimeSchema
    .nullable()
    .describe('Time of the next attempt, ISO 8601 in UTC. Null if none follows'),
}).describe('An event that a webhook sends, with the result of its attempts');
export type WebhookDeliveryResponse = z.infer<typeof webhookDeliveryResponseSchema>;
