import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { inputRulesSchema } from '../input-rules-schema.ts';
import {
  actingProofFields,
  epochMillisecondsSchema,
  requestIdSchema,
  wireProtocolVersionSchema,
} from '../message-fields.ts';

/**
 * A technician at one controller copies input rules to another controller of the site. The rules run there on trial until
 * they are confirmed or reverted.
 */
export const copyInputRulesMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  copy_id: requestIdSchema,
  step: z.enum(['try', 'confirm', 'revert']),
  asked_at: epochMillisecondsSchema,
  /** The technician pass; null with the setup code. */
  pass_id: z.string().max(100).nullable(),
  /** The user of the pass. */
  user_id: idSchema('user').nullish(),
  /** The application of a remote technician. */
  oauth_application_id: idSchema('oauth_application').nullish(),
  ...actingProofFields,
  to: idSchema('device'),
  /** The rules for the target. */
  input_rules: inputRulesSchema,
  /** The rules of the target that the technician has seen. The copy is refused if they have changed. */
  previous: inputRulesSchema,
  confirm_within_s: z.int().min(1),
});
export type CopyInputRulesMqttMessage = z.infer<typeof copyInputRulesMqttMessageSchema>;
