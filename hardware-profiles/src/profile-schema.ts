import * as z from 'zod';

/** What a device of the product can do, as the API shows it. */
const capabilities = z.strictObject({
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
export type Capabilities = z.infer<typeof capabilities>;

interface Demand {
  readonly field: keyof Capabilities;
  readonly holds: (given: Capabilities) => boolean;
  readonly message: string;
}

/** What the fields demand of one another. */
const demands: readonly Demand[] = [
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
    message: 'needs ethernet, wifi or cellular',
  },
  {
    field: 'input_rules',
    holds: ({ input_rules, pin, nfc }) => !input_rules || pin || nfc,
    message: 'needs a keypad (pin) or a reader (nfc)',
  },
  { field: 'mains', holds: ({ mains, battery }) => mains || battery, message: 'must be true without a battery' },
  {
    field: 'battery_rechargeable',
    holds: ({ battery_rechargeable, battery, mains }) => !battery_rechargeable || (battery && mains),
    message: 'needs battery and mains',
  },
];

/** One product: the file is named after `product_id`. */
const profile = z.strictObject({
  product_id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, { error: 'must be lower-case letters, digits and hyphens' }),
  name: z.string().min(1).max(200),
  revision: z.string().min(1).max(64),
  capabilities: capabilities.check(({ value, issues }) => {
    for (const { field, holds, message } of demands) {
      if (!holds(value)) issues.push({ code: 'custom', input: value[field], path: [field], message });
    }
  }),
});
export type Profile = z.infer<typeof profile>;

export interface ProfileProblem {
  /** Dotted; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

type ProfileCheck =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly problems: readonly ProfileProblem[] };

const problemsOf = (issue: z.core.$ZodIssue): ProfileProblem[] => {
  const path = issue.path.map(String);
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map(key => ({ path: [...path, key].join('.'), message: 'is not a known field' }))
    : [{ path: path.join('.'), message: issue.message }];
};

export const checkProfile = (value: unknown): ProfileCheck => {
  const parsed = profile.safeParse(value);
  return parsed.success
    ? { ok: true, profile: parsed.data }
    : { ok: false, problems: parsed.error.issues.flatMap(problemsOf) };
};
