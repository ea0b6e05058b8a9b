import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/** `GET …/technician_devices`: a controller with the details that a technician needs on site. */
export const technicianDeviceResponseSchema = tolerantObjectSchema({
  device_id: idSchema('device'),
  name: z.string().describe('Name of the device'),
  site_id: idSchema('site'),
  site_name: z.string().describe('Name of the site'),
  product_id: z.string().describe('Id of the product'),
  online: z.boolean().describe('Whether it is connected'),
  firmware: z.string().nullable().describe('Version of the firmware. Null if not known'),
  local_name: z
    .string()
    .nullable()
    .describe('Last reported name of its technician page on the local network, such as lintel-7f3a. Null if not known'),
  local_url: z.string().nullable().describe('Last reported URL of its technician page. Null if not known'),
  local_address: z.string().nullable().describe('Last reported address of its technician page. Null if not known'),
  technician_fingerprint: z
    .string()
    .nullable()
    .describe('SHA-256 of the certificate of its technician page. Null if not known'),
}).describe('A controller with what a technician needs on site');
export type TechnicianDeviceResponse = z.infer<typeof technicianDeviceResponseSchema>;
