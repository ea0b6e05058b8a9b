import * as z from 'zod';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { requestIdSchema, protocolVersionSchema } from '../message-fields.ts';

/** The result of one step of a copy. */
export const inputRulesCopiedMqttMessageSchema = z.object({
  v: protocolVersionSchema,
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
export type InputRulesCopiedMqttMessage = z.infer<typeof inputRulesCopiedMqttMessageSchema>;
