import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnumSchema } from '../../schema-parts/open-enum.ts';
import { protocolVersionSchema } from '../message-fields.ts';

export const updateSteps = [
  'downloading',
  'ready',
  'switched',
  'confirmed',
  'rolled_back',
  'failed',
  'cancelled',
] as const;
export type UpdateStep = (typeof updateSteps)[number];

/**
 * Progress of an update on a controller or gateway. Sent on each change, with every hello, and in response to
 * `update`.
 */
export const updateReportMqttMessageSchema = z.object({
  v: protocolVersionSchema,
  rollout_id: idSchema('rollout'),
  state: openEnumSchema(updateSteps),
  /** Progress of the download. */
  percent: z.int().min(0).max(100).nullable(),
  /** The running version. */
  running: z.string().max(100),
  reason: z.string().max(300).nullable(),
});
export type UpdateReportMqttMessage = z.infer<typeof updateReportMqttMessageSchema>;
