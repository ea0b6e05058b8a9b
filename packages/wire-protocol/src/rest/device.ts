import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createGadgetRequestSchema } from './gadget.ts';
import {
  metadataSchema,
  tagIdsSchema,
  metadataAndTagCreateFields,
  metadataAndTagEditFields,
} from './metadata-and-tags.ts';

const MOST_GADGETS = 64;

const gadgetNumbers = ['none', 'single', 'multiple'] as const;

const deviceCapabilities = tolerantObjectSchema({
  gadgets: openEnumSchema(gadgetNumbers),
  gadget_max_count: z.int(),
  script: z.boolean(),
  internet: z.boolean(),
  ethernet: z.boolean(),
  wifi: z.boolean(),
  cellular: z.boolean(),
  pin: z.boolean(),
  nfc: z.boolean(),
  input_rules: z.boolean(),
  mains: z.boolean(),
  battery: z.boolean(),
  battery_rechargeable: z.boolean(),
  audio: z.boolean(),
});
export type DeviceCapabilities = z.infer<typeof deviceCapabilities>;

/** Capabilities as declared in a claim: strict, unlike those in responses. */
export const declaredCapabilitiesSchema = z.strictObject({
  ...deviceCapabilities.shape,
  gadgets: z.enum(gadgetNumbers),
  gadget_max_count: z.int().min(0).max(MOST_GADGETS),
});

const deviceFault = tolerantObjectSchema({
  code: z.string(),
  message: z.string(),
  since: dateTimeSchema,
  by_bridge: z.boolean().optional(),
});

/** What nothing measures is absent. */
const deviceStatus = tolerantObjectSchema({
  online: z.boolean(),
  mains_present: z.boolean().optional(),
  battery_present: z.boolean().optional(),
  battery_charging: z.boolean().optional(),
  battery_percent: z.number().min(0).max(100).optional(),
  faults: z.array(deviceFault).optional(),
});
export type DeviceStatus = z.infer<typeof deviceStatus>;

const deviceInputRule = tolerantObjectSchema({
  code: z.string(),
  gadget_id: idSchema('gadget'),
  action_id: z.string(),
});

export const deviceResponseSchema = tolerantObjectSchema({
  id: idSchema('device'),
  created_at: dateTimeSchema,
  name: z.string(),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  hardware_id: idSchema('hardware').nullable(),
  metadata: metadataSchema,
  product_id: z.string(),
  revision_id: z.string().nullable(),
  input_rules: z.array(deviceInputRule),
  capabilities: deviceCapabilities,
  status: deviceStatus,
  is_deleted: z.boolean(),
  tag_ids: tagIdsSchema,
});
export type DeviceResponse = z.infer<typeof deviceResponseSchema>;

/** Validated by `parseInputRules`, which knows the gadgets. */
export const unparsedInputRulesSchema = z.array(z.unknown()).meta({
  items: {
    title: 'device_input_rule_input',
    type: 'object',
    properties: { code: { type: 'string' }, gadget_id: { type: 'string' }, action_id: { type: 'string' } },
    required: ['code', 'gadget_id', 'action_id'],
  },
});

const settingFields = {
  /** Null: a virtual device. */
  hardware_id: idSchema('hardware').nullish(),
  revision_id: plainTextSchema(64, 1).nullish(),
  input_rules: unparsedInputRulesSchema.optional(),
};

/** Devices are created through the admin API, together with their gadgets. */
export const createDeviceRequestSchema = createPostBodySchema({
  ...settingFields,
  site_id: idSchema('site'),
  name: nameTextSchema(1),
  product_id: plainTextSchema(64, 1),
  gadgets: z.array(createGadgetRequestSchema).max(MOST_GADGETS).default([]),
  ...metadataAndTagCreateFields,
});
export type CreateDeviceRequest = z.input<typeof createDeviceRequestSchema>;

export const editDeviceRequestSchema = z.strictObject({
  ...settingFields,
  name: nameTextSchema(1).optional(),
  ...metadataAndTagEditFields,
});
export type EditDeviceRequest = z.input<typeof editDeviceRequestSchema>;
