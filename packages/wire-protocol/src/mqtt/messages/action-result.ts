import * as z from 'zod';
import { idSchema } from '../../schema-parts/identifier.ts';
import { openEnum } from '../../schema-parts/open-enum.ts';
import { actionOutcomes, requestId, protocolVersion } from '../message-fields.ts';

export const actionResultMessage = z.object({
  v: protocolVersion,
  request_id: requestId,
  outcome: openEnum(actionOutcomes),
  reason: z.string().nullable(),
  event_id: idSchema('event').nullable(),
});
export type ActionResultMessage = z.infer<typeof actionResultMessage>;
