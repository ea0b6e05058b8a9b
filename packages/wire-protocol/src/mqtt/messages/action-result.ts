import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { actionOutcomes, requestIdSchema, wireProtocolVersionSchema } from '../message-fields.ts';

export const actionResultMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  request_id: requestIdSchema,
  outcome: openEnumSchema(actionOutcomes),
  reason: z.string().nullable(),
  event_id: idSchema('event').nullable(),
});
export type ActionResultMqttMessage = z.infer<typeof actionResultMqttMessageSchema>;
