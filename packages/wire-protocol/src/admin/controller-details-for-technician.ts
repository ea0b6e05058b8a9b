import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `GET …/technician_devices`: a controller with the details that a technician needs on site. */
export const technicianDeviceResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  name: z.string(),
  site_id: idSchema('site'),
  site_name: z.string(),
  product_id: z.string(),
  online: z.boolean(),
  firmware: z.string().nullable(),
  /** The last reported name, URL and address of its technician page on the local network: `lintel-7f3a`. */
  local_name: z.string().nullable(),
  local_url: z.string().nullable(),
  local_address: z.string().nullable(),
  /** SHA-256 of that page's certificate. */
  technician_fingerprint: z.string().nullable(),
});
export type TechnicianDeviceResponse = z.infer<typeof technicianDeviceResponseSchema>;
