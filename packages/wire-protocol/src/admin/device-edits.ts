import * as z from 'zod';
import { createGadgetRequestSchema } from '../rest/gadget.ts';
import { metadataAndTagEditFields } from '../rest/metadata-and-tags.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';

/** Hardware changes through a replacement, input rules through their own endpoint. */
export const editDeviceNameAndTagsRequestSchema = z.strictObject({
  name: nameTextSchema(1).optional(),
  ...metadataAndTagEditFields,
});

export const replaceDeviceHardwareRequestSchema = z.strictObject({
  hardware_id: idSchema('hardware'),
  revision_id: plainTextSchema(64, 1).nullish(),
});
export type ReplaceDeviceHardwareRequest = z.infer<typeof replaceDeviceHardwareRequestSchema>;

export const createDeviceGadgetRequestSchema = createGadgetRequestSchema.safeExtend({ device_id: idSchema('device') });
