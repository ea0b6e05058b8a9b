import * as z from 'zod';
import { createMillisecondsSchema } from './name-id-and-duration-schemas.ts';

/** Received signal strength in dBm: about -50 at one meter, -80 at ten. */
export const rssiThresholdSchema = z.int().min(-100).max(-20);

/** The radio is used through BlueZ. */
export const bluetoothRadioSchema = z.strictObject({
  /** Default: the first adapter that can advertise. `simulated`: a radio without hardware. */
  adapter: z
    .string()
    .regex(/^(?:hci\d{1,2}|simulated)$/, { error: 'must be the name of an adapter, such as hci0, or simulated' })
    .optional(),
  /** Phones with a weaker signal are too far away; null: any distance. A door may have its own threshold. */
  rssi_threshold: rssiThresholdSchema.nullable().default(-75),
  /** Refuses phones that cannot measure the signal, as most browsers. */
  requires_rssi: z.boolean().default(false),
  /** A proof that takes longer may have been relayed. */
  round_trip_ms: createMillisecondsSchema(100, 10_000).default(1_000),
});
