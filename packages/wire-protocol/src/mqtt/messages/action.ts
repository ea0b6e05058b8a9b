import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import {
  actingSubjectSchema,
  epochMillisecondsSchema,
  nonceSchema,
  requestIdSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';

/**
 * Executes an action now. Bound to the controller's session by its nonce, which prevents replay. The controller has a
 * lower bound of the bridge's clock from `time`, so a request delayed beyond its deadline is rejected.
 */
export const actionMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  request_id: requestIdSchema,
  session_nonce: nonceSchema,
  /** By the bridge's clock. */
  sent_at: epochMillisecondsSchema.nullish(),
  deadline_ms: z.int().min(1).max(60_000),
  gadget_id: idSchema('gadget'),
  action_id: z.string(),
  subject: actingSubjectSchema,
});
export type ActionMqttMessage = z.infer<typeof actionMqttMessageSchema>;
