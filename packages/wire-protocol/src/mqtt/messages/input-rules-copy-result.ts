import * as z from 'zod';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { requestIdSchema, wireProtocolVersionSchema } from '../message-fields.ts';

/** The result of one step of a copy. */
export const inputRulesCopyResultMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  copy_id: requestIdSchema,
  outcome: openEnumSchema(['done', 'refused']),
  /** Until the target reverts the rules; null when they are not on trial. */
  seconds_left: z.number().nullable(),
  /**
   * Why it was refused: `edit_conflict`, `provisional`, `not_provisional`, `not_found`, `not_of_this_site`,
   * `forbidden`, `hardware_offline`, `invalid`.
   */
  reason: z.string().nullable(),
  message: z.string().nullable(),
});
export type InputRulesCopyResultMqttMessage = z.infer<typeof inputRulesCopyResultMqttMessageSchema>;
