import * as z from 'zod';
import { idOf } from '../schema-parts/identifier.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** `GET …/technician_devices`: a controller as somebody sees it who sets out to work on it. */
export const technicianDeviceAnswer = tolerantObject({
  device_id: idOf('device'),
  name: z.string(),
  site_id: idOf('site'),
  site_name: z.string(),
  product_id: z.string(),
  online: z.boolean(),
  firmware: z.string().nullable(),
  /** Its page on the network of its site, as it said last: `lintel-7f3a`, by that name and by its address. */
  local_name: z.string().nullable(),
  local_url: z.string().nullable(),
  local_address: z.string().nullable(),
  /** SHA-256 of that page's certificate. */
  technician_fingerprint: z.string().nullable(),
});
export type TechnicianDeviceAnswer = z.infer<typeof technicianDeviceAnswer>;
