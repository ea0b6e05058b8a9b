import * as z from 'zod';
import {
  bluetoothRadioSchema,
  displayNameSchema,
  createRecordByPartNameSchema,
  partNameSchema,
} from '@lintel/drivers/settings';
import { hardwareBusSchema } from '@lintel/drivers/drivers';
import { capabilitiesSchema } from './capabilities-schema.ts';
import { doorInterlockSchema, gadgetSchema } from './gadget-schemas.ts';
import {
  profilePoliciesSchema,
  powerMonitoringSchema,
  keyEntryTimesSchema,
} from './times-policies-and-power-schemas.ts';
import { billOfMaterialsSchema } from './bill-of-materials-schema.ts';
import { feedbackPatternsSchema, readerUnitSchema } from './reader-unit-and-feedback-schemas.ts';

/** The schema of each field. `cross-checks` validates the relations between fields. */
export const profileFieldsSchema = z.strictObject({
  product_id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, { error: 'must consist of lower-case letters, digits and hyphens' }),
  name: displayNameSchema,
  revision: z.string().min(1).max(64),
  capabilities: capabilitiesSchema,
  materials: billOfMaterialsSchema,
  buses: createRecordByPartNameSchema(hardwareBusSchema),
  stations: createRecordByPartNameSchema(readerUnitSchema),
  /** Phones over Bluetooth Low Energy. Without it, the radio is not used. */
  bluetooth: bluetoothRadioSchema.optional(),
  gadgets: z.array(gadgetSchema).max(64).default([]),
  interlocks: z.array(doorInterlockSchema).max(16).default([]),
  /** Handling of a gadget that an administrator adds and that has no wiring in this profile. */
  other_gadgets: z.enum(['fault', 'simulated']).default('fault'),
  times: keyEntryTimesSchema,
  feedback: feedbackPatternsSchema.default({}),
  policies: profilePoliciesSchema,
  power: powerMonitoringSchema,
  /** Input that is active while the housing is open. */
  tamper: partNameSchema.optional(),
  /** Input of the setup button inside the housing, which reactivates the setup code. Active while pressed. */
  setup_button: partNameSchema.optional(),
  /** A real-time clock with a battery, whose time is trusted after a power cut. */
  real_time_clock: z.boolean().default(false),
});
export type ProfileFields = z.infer<typeof profileFieldsSchema>;
