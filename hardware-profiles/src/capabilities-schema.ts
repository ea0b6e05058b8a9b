import * as z from 'zod';

/** The capabilities of a device, as the API shows them. */
const fields = z.strictObject({
  gadgets: z.enum(['none', 'single', 'multiple']),
  gadget_max_count: z.int().min(0).max(64),
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
type Capabilities = z.infer<typeof fields>;

export const minimalCapabilities: Capabilities = {
  gadgets: 'none',
  gadget_max_count: 0,
  script: false,
  internet: false,
  ethernet: false,
  wifi: false,
  cellular: false,
  pin: false,
  nfc: false,
  input_rules: false,
  mains: true,
  battery: false,
  battery_rechargeable: false,
  audio: false,
};

interface Constraint {
  readonly field: keyof Capabilities;
  readonly holds: (capabilities: Capabilities) => boolean;
  readonly message: string;
}

/** Constraints between the fields. */
const constraints: readonly Constraint[] = [
  {
    field: 'gadget_max_count',
    holds: ({ gadgets, gadget_max_count }) => gadgets !== 'none' || gadget_max_count === 0,
    message: 'must be 0 when gadgets is none',
  },
  {
    field: 'gadget_max_count',
    holds: ({ gadgets, gadget_max_count }) => gadgets !== 'single' || gadget_max_count === 1,
    message: 'must be 1 when gadgets is single',
  },
  {
    field: 'gadget_max_count',
    holds: ({ gadgets, gadget_max_count }) => gadgets !== 'multiple' || gadget_max_count > 1,
    message: 'must be more than 1 when gadgets is multiple',
  },
  {
    field: 'internet',
    holds: ({ internet, ethernet, wifi, cellular }) => !internet || ethernet || wifi || cellular,
    message: 'requires ethernet, wifi or cellular',
  },
  {
    field: 'input_rules',
    holds: ({ input_rules, pin, nfc }) => !input_rules || pin || nfc,
    message: 'requires a keypad (pin) or a reader (nfc)',
  },
  { field: 'mains', holds: ({ mains, battery }) => mains || battery, message: 'must be true without a battery' },
  {
    field: 'battery_rechargeable',
    holds: ({ battery_rechargeable, battery, mains }) => !battery_rechargeable || (battery && mains),
    message: 'requires battery and mains',
  },
];

export const capabilitiesSchema = fields.check(({ value, issues }) => {
  for (const { field, holds, message } of constraints) {
    if (!holds(value)) issues.push({ code: 'custom', input: value[field], path: [field], message });
  }
});
