import * as z from 'zod';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { technicianEvent } from './live.ts';

export const SHORTEST_PULSE_MS = 100;
export const LONGEST_PULSE_MS = 5_000;

/** `POST /technician/v1/outputs/{output}/pulse`. */
export const outputPulse = z.strictObject({ ms: z.int().min(SHORTEST_PULSE_MS).max(LONGEST_PULSE_MS) });

/** `POST /technician/v1/gadgets/{gadget_id}/actions/{action_id}`, with an empty body. */
export const gadgetActionDone = tolerantObject({ event_id: idOf('event') });
export type GadgetActionDone = z.infer<typeof gadgetActionDone>;

/** `GET /technician/v1/events`: the newest first. */
export const technicianEvents = tolerantObject({ data: z.array(technicianEvent) });
export type TechnicianEvents = z.infer<typeof technicianEvents>;
