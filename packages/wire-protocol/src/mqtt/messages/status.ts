import * as z from 'zod';
import { counter, milliseconds, version } from '../message-fields.ts';

const fault = z.object({ code: z.string().max(100), since: milliseconds, message: z.string().max(500) });

const technicianPlace = z.object({
  /** `lintel-7f3a`. */
  name: z.string().max(100),
  /** By that name, and by its address. */
  url: z.string().max(300),
  address: z.string().max(300),
  fingerprint: z.string().max(100),
});

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
  /** Where its technician's page is found on the network of the site, and what its certificate looks like. */
  technician: technicianPlace.nullish(),
});
export type Status = z.infer<typeof status>;
