import * as z from 'zod';
import { counter, milliseconds, version } from '../message-fields.ts';

const fault = z.object({ code: z.string().max(100), since: milliseconds, message: z.string().max(500) });

export const status = z.object({
  v: version,
  at: milliseconds,
  mains_present: z.boolean().nullable(),
  battery_present: z.boolean().nullable(),
  battery_charging: z.boolean().nullable(),
  battery_percent: z.number().min(0).max(100).nullable(),
  /** Events that wait for their acknowledgement. */
  waiting_events: counter,
  faults: z.array(fault).max(100),
});
export type Status = z.infer<typeof status>;
