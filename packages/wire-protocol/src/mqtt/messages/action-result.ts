import * as z from 'zod';
import { idOf } from '../../schema-parts/identifier.ts';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { actionOutcomes, requestId, version } from '../message-fields.ts';

export const actionResult = z.object({
  v: version,
  request_id: requestId,
  outcome: openEnum(actionOutcomes),
  reason: z.string().nullable(),
  event_id: idOf('event').nullable(),
});
export type ActionResult = z.infer<typeof actionResult>;
