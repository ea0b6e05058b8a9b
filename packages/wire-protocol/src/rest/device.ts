import * as z from 'zod';
import { createPostBodySchema } from '../schema-parts/create-post-body-schema.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { nameTextSchema, plainTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { createdAtSchema, isDeletedSchema } from './common-fields.ts';
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
  gadgets: openEnumSchema(gadgetNumbers).describe(
    'How many gadgets the device can have. none: no gadgets. single: exactly one. multiple: none to gadget_max_count',
  ),
  gadget_max_count: z.int().describe('Most gadgets of the device. 0 if gadgets is none, 1 if it is single'),
  script: z.boolean().describe('Whether it supports gadgets with custom scripts'),
  internet: z.boolean().describe('Whether it reaches the cloud directly, without a gateway'),
  ethernet: z.boolean().describe('Whether it supports Ethernet'),
  wifi: z.boolean().describe('Whether it supports Wi-Fi'),
  cellular: z.boolean().describe('Whether it supports a cellular network'),
  pin: z.boolean().describe('Whether it has a keypad'),
  nfc: z.boolean().describe('Whether it reads cards, physical or emulated by a phone'),
  input_rules: z.boolean().describe('Whether it supports input rules'),
  mains: z.boolean().describe('Whether mains can power it'),
  battery: z.boolean().describe('Whether a battery can power it. With mains too, the battery is the backup'),
  battery_rechargeable: z.boolean().describe('Whether it has a rechargeable battery that mains charges'),
  audio: z.boolean().describe('Whether it has a buzzer'),
}).describe('What a device supports');
export type DeviceCapabilities = z.infer<typeof deviceCapabilities>;

/** Capabilities as declared in a claim: strict, unlike those in responses. */
export const declaredCapabilitiesSchema = z.strictObject({
  ...deviceCapabilities.shape,
  gadgets: z
    .enum(gadgetNumbers)
    .describe(
      'How many gadgets the device can have. none: no gadgets. single: exactly one. multiple: none to gadget_max_count',
    ),
  gadget_max_count: z
    .int()
    .min(0)
    .max(MOST_GADGETS)
    .describe('Most gadgets of the device, 0 to 64. 0 if gadgets is none, 1 if it is single'),
});

const deviceFault = tolerantObjectSchema({
  code: z.string().describe('Kind of fault'),
  message: z.string().describe('The fault, for people'),
  since: dateTimeSchema.describe('Time of the beginning of the fault, ISO 8601 in UTC'),
  by_bridge: z.boolean().optional().describe('true if the bridge noticed the fault itself'),
}).describe('A fault of a device');

/** What nothing measures is absent. */
const deviceStatus = tolerantObjectSchema({
  online: z.boolean().describe('Whether it is powered and connected to the cloud, directly or through a gateway'),
  mains_present: z.boolean().optional().describe('Whether mains powers it. Absent if nothing measures it'),
  battery_present: z.boolean().optional().describe('Whether a battery is present. Absent if nothing measures it'),
  battery_charging: z.boolean().optional().describe('Whether the battery is charging. Absent if nothing measures it'),
  battery_percent: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe('Charge of the battery, 0 to 100 percent. Absent if nothing measures it'),
  faults: z.array(deviceFault).optional().describe('Faults that are present now'),
}).describe('Reported state of a device');
export type DeviceStatus = z.infer<typeof deviceStatus>;

const CODE =
  'Keys that are typed before the PIN or the card: 0-9, # and *, at most 20. Empty: the default rule, for a PIN or card with nothing typed before';
const TARGET = 'Id of the gadget that the rule operates, on this device or another one';
const ACTION = 'Id of an action of that gadget';

const deviceInputRule = tolerantObjectSchema({
  code: z.string().describe(CODE),
  gadget_id: idSchema('gadget').describe(TARGET),
  action_id: z.string().describe(ACTION),
}).describe('What a keypad or reader operates');

export const deviceResponseSchema = tolerantObjectSchema({
  id: idSchema('device'),
  created_at: createdAtSchema,
  name: z.string().describe('Name of the device'),
  organization_id: idSchema('organization'),
  site_id: idSchema('site'),
  hardware_id: idSchema('hardware')
    .nullable()
    .describe(
      'Serial number printed on the label of the device: hw_ and an opaque suffix. Null: a virtual device, for tests, whose actions always succeed',
    ),
  metadata: metadataSchema,
  product_id: z.string().describe('Id of the product. Show the name of the product to users, not the id'),
  revision_id: z.string().nullable().describe('Hardware revision. Null if not known'),
  input_rules: z
    .array(deviceInputRule)
    .describe('Rules for its keypad and reader. If empty, a PIN or card triggers the first action of its first gadget'),
  capabilities: deviceCapabilities.describe('What the device supports'),
  status: deviceStatus.describe('Connection, power supply and faults, as reported'),
  is_deleted: isDeletedSchema,
  tag_ids: tagIdsSchema,
}).describe('Hardware that is installed at a site, or a virtual device for tests. It can have gadgets');
export type DeviceResponse = z.infer<typeof deviceResponseSchema>;

/** Validated by `parseInputRules`, which knows the gadgets. */
export const unparsedInputRulesSchema = z.array(z.unknown()).meta({
  items: {
    title: 'device_input_rule_input',
    description: 'What a keypad or reader operates',
    type: 'object',
    properties: {
      code: { type: 'string', description: CODE },
      gadget_id: { type: 'string', description: TARGET },
      action_id: { type: 'string', description: ACTION },
    },
    required: ['code', 'gadget_id', 'action_id'],
  },
});

const settingFields = {
  /** Null: a virtual device. */
  hardware_id: idSchema('hardware')
    .nullish()
    .describe(
      'Serial number printed on the label of the device: hw_ and an opaque suffix. Null or absent: a virtual device',
    ),
  revision_id: plainTextSchema(64, 1).nullish().describe('Hardware revision, 1 to 64 characters. Null: not known'),
  input_rules: unparsedInputRulesSchema
    .optional()
    .describe(
      'Rules for its keypad and reader, at most 500. Must be empty if capabilities.input_rules is false. No code may be a prefix of another one. With an empty code, the others begin with * or #',
    ),
};

/** Devices are created through the admin API, together with their gadgets. */
export const createDeviceRequestSchema = createPostBodySchema({
  ...settingFields,
  site_id: idSchema('site'),
  name: nameTextSchema(1).describe('Name of the device, 1 to 200 characters'),
  product_id: plainTextSchema(64, 1).describe('Id of the product, 1 to 64 characters'),
  gadgets: z
    .array(createGadgetRequestSchema)
    .max(MOST_GADGETS)
    .default([])
    .describe('Gadgets that are created with the device, at most 64'),
  ...metadataAndTagCreateFields,
});
export type CreateDeviceRequest = z.input<typeof createDeviceRequestSchema>;

export const editDeviceRequestSchema = z.strictObject({
  ...settingFields,
  name: nameTextSchema(1).optional().describe('Name of the device, 1 to 200 characters'),
  ...metadataAndTagEditFields,
});
export type EditDeviceRequest = z.input<typeof editDeviceRequestSchema>;
