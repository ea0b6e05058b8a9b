import * as z from 'zod';
import {
  actingProofFields,
  epochMillisecondsSchema,
  revisionSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';
import { idSchema } from '../../schema-parts/identifier.ts';
import { inputRulesSchema } from '../input-rules-schema.ts';

/** A technician edited the input rules at the controller, based on this revision. */
export const inputRulesChangedMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  base_revision: revisionSchema.nullable(),
  edited_at: epochMillisecondsSchema,
  /** The technician pass; null with the setup code. */
  pass_id: z.string().max(100).nullable(),
  /** The user of the pass. */
  user_id: idSchema('user').nullish(),
  /** The application of a remote technician. */
  oauth_application_id: idSchema('oauth_application').nullish(),
  ...actingProofFields,
  input_rules: inputRulesSchema,
});
export type InputRulesChangedMqttMessage = z.infer<typeof inputRulesChangedMqttMessageSchema>;
