import * as z from 'zod';
import { nonNegativeIntegerSchema, epochMillisecondsSchema, wireProtocolVersionSchema } from '../message-fields.ts';

const fault = z.object({ code: z.string().max(100), since: epochMillisecondsSchema, message: z.string().max(500) });

const technicianPlace = z.object({
  /** `lintel-7f3a`. */
  name: z.string().max(100),
  /** By that name, and by IP address. */
  url: z.string().max(300),
  address: z.string().max(300),
  fingerprint: z.string().max(100),
});

export const deviceStatusMqttMessageSchema = z.object({
  v: wireProtocolVersionSchema,
  at: epochMillisecondsSchema,
  mains_present: z.boolean().nullable(),
  battery_present: z.boolean().nullable(),
  battery_charging: z.boolean().nullable(),
  battery_percent: z.number().min(0).max(100).nullable(),
  /** Events without acknowledgement. */
  waiting_events: nonNegativeIntegerSchema,
  faults: z.array(fault).max(100),
  /** Address of the technician page on the local network, and the fingerprint of its certificate. */
  technician: technicianPlace.nullish(),
});
export type DeviceStatusMqttMessage = z.infer<typeof deviceStatusMqttMessageSchema>;
