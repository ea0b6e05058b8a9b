import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { remoteTechnicianOperationNames } from '../remote-technician-operations.ts';
import { epochMillisecondsSchema, nonceSchema, requestIdSchema, wireProtocolVersionSchema } from '../message-fields.ts';

const text = z.string().max(1_000);

/**
 * A request of a remote technician, see `docs/reference/technician-api.md`. Bound to the session of the controller and to a
 * deadline as an action is, so that it can neither be replayed nor arrive late. It names an operation and carries no URL:
 * bridge and controller cannot read the same request differently.
 */
export const technicianRequestMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  request_id: requestIdSchema,
  session_nonce: nonceSchema,
  /** By the clock of the bridge. */
  sent_at: epochMillisecondsSchema,
  deadline_ms: z.int().min(1).max(60_000),
  /** The user who is signed in at the bridge, or who created the token; null if unknown. */
  user_id: idSchema('user').nullable(),
  /** For the records of the controller, which knows no users. */
  user_name: z.string().max(200).nullish(),
  /** The application that the token was issued to. */
  oauth_application_id: idSchema('oauth_application').nullish(),
  operation: z.enum(remoteTechnicianOperationNames),
  /** The values for `:name` in the path of the operation. */
  parameters: z.record(z.string().max(40), text.min(1)),
  query: z.record(z.string().max(40), text),
  /** JSON; null without a body. */
  body: z.string().max(262_144).nullable(),
});
export type TechnicianRequestMqttMessage = z.infer<typeof technicianRequestMqttMessageSchema>;
