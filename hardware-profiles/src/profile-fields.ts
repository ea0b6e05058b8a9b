import * as z from 'zod';
import { bus } from './buses.ts';
import { capabilities } from './capabilities.ts';
import { doorInterlock, gadget } from './gadgets.ts';
import { materials, policies, power, times } from './policies.ts';
import { displayName, recordByPartName, partName } from './field-schemas.ts';
import { feedback, station } from './stations.ts';

/** The schema of each field. `cross-checks` validates the relations between fields. */
export const profileFields = z.strictObject({
  product_id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, { error: 'must consist of lower-case letters, digits and hyphens' }),
  name: displayName,
  revision: z.string().min(1).max(64),
  capabilities,
  materials,
  buses: recordByPartName(bus),
  stations: recordByPartName(station),
  gadgets: z.array(gadget).max(64).default([]),
  interlocks: z.array(doorInterlock).max(16).default([]),
  /** Handling of a gadget that an administrator adds and that has no wiring in this profile. */
  other_gadgets: z.enum(['fault', 'simulated']).default('fault'),
  times,
  feedback: feedback.default({}),
  policies,
  power,
  /** Input that is active while the housing is open. */
  tamper: partName.optional(),
  /** Input of the setup button inside the housing, which reactivates the setup code. Active while pressed. */
  setup_button: partName.optional(),
  /** A real-time clock with a battery, whose time is trusted after a power cut. */
  real_time_clock: z.boolean().default(false),
});
export type ProfileFields = z.infer<typeof profileFields>;
