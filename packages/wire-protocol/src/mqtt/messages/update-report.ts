import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { version } from '../message-fields.ts';

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

/** How far a controller or a gateway is with an order: when that changes, with every hello, and in answer to the order. */
export const updateReport = z.object({
  v: version,
  rollout_id: idOf('rollout'),
  state: openEnum(updateSteps),
  /** Of the download. */
  percent: z.int().min(0).max(100).nullable(),
  /** What runs now. */
  running: z.string().max(100),
  reason: z.string().max(300).nullable(),
});
export type UpdateReport = z.infer<typeof updateReport>;
