import * as z from 'zod';
import { bus } from './buses.ts';
import { capabilities } from './capabilities.ts';
import { doorInterlock, gadget } from './gadgets.ts';
import { materials, policies, power, times } from './policies.ts';
import { displayName, named, partName } from './profile-parts.ts';
import { feedback, station } from './stations.ts';

/** One product, each piece by itself; what the pieces demand of one another is in `cross-checks`. */
export const profileFields = z.strictObject({
  product_id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, { error: 'must be lower-case letters, digits and hyphens' }),
  name: displayName,
  revision: z.string().min(1).max(64),
  capabilities,
  materials,
  buses: named(bus),
  stations: named(station),
  gadgets: z.array(gadget).max(64).default([]),
  interlocks: z.array(doorInterlock).max(16).default([]),
  /** What becomes of a gadget that the desk adds and this profile has no wires for. */
  other_gadgets: z.enum(['fault', 'simulated']).default('fault'),
  times,
  feedback: feedback.default({}),
  policies,
  power,
  /** An input that is active while the housing is open. */
  tamper: partName.optional(),
  /** An input that is active while the button inside the housing is pressed. It brings the setup code back. */
  setup_button: partName.optional(),
  /** A clock with a battery: its time is believed after a power cut. */
  real_time_clock: z.boolean().default(false),
});
export type ProfileFields = z.infer<typeof profileFields>;
