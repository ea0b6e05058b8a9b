import * as z from 'zod';
import { createGadgetRequestSchema } from '../rest/gadget.ts';
import { metadataAndTagEditFields } from '../rest/metadata-and-tags.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';

/** Hardware changes through a replacement, input rules through their own endpoint. */
export const editDeviceNameAndTagsRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional().describe('Name of the device, 1 to 200 characters'),
  ...metadataAndTagEditFields,
});

export const replaceDeviceHardwareRequestSchema = z.strictObject({
  hardware_id: idSchema('hardware').describe('Serial number of the new hardware: hw_ and an opaque suffix'),
  revision_id: plainTextSchema(64, 1).nullish().describe('Hardware revision, 1 to 64 characters. Null: not known'),
});
export type ReplaceDeviceHardwareRequest = z.infer<typeof replaceDeviceHardwareRequestSchema>;

export const createDeviceGadgetRequestSchema = createGadgetRequestSchema.safeExtend({ device_id: idSchema('device') });
