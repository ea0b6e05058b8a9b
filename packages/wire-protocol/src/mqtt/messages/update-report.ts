import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { updateReportStates } from '../../updates/report-states.ts';
import { wireProtocolVersionSchema } from '../message-fields.ts';

/**
 * Progress of an update on a controller or gateway. Sent on each change, with every hello, and in response to
 * `update`.
 */
export const updateReportMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  rollout_id: idSchema('rollout'),
  state: openEnumSchema(updateReportStates),
  /** Progress of the download. */
  percent: z.int().min(0).max(100).nullable(),
  /** The running version. */
  running: z.string().max(100),
  reason: z.string().max(300).nullable(),
});
export type UpdateReportMqttMessage = z.infer<typeof updateReportMqttMessageSchema>;
