import * as z from 'zod';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

const finding = tolerantObject({
  area: z.string(),
  level: openEnum(['ok', 'note', 'bad']),
  text: z.string(),
  /** What to do about it. */
  fix: z.string().nullable(),
});

const profileFit = tolerantObject({
  product_id: z.string(),
  name: z.string(),
  /** Everything that it wants is there. */
  fits: z.boolean(),
  is_current: z.boolean(),
  /** Of what it wants, so much is there. */
  found: z.int(),
  wanted: z.int(),
  missing: z.array(tolerantObject({ text: z.string(), fix: z.string().nullable() })),
});
export type ProfileFit = z.infer<typeof profileFit>;

/** `GET /technician/v1/doctor`: what is plugged in, and which products it could be, the best first. */
export const technicianDoctor = tolerantObject({
  findings: z.array(finding),
  profiles: z.array(profileFit),
  /** Null where no profile is known. */
  current: z.string().nullable(),
  /** Null: another profile may be chosen here. Else why not, as `args.reason` of `PUT profile` says it. */
  fixed_because: openEnum(['fixed_by_command', 'already_claimed', 'claim_waiting']).nullable(),
});
export type TechnicianDoctor = z.infer<typeof technicianDoctor>;

/** `PUT /technician/v1/profile`: one that comes with Lintel by its name, or a whole one. */
export const profileChoice = z.union([
  z.strictObject({ name: z.string().min(1).max(64) }),
  z.strictObject({ profile: z.record(z.string(), z.unknown()) }),
]);
export type ProfileChoice = z.infer<typeof profileChoice>;

/** The controller stops and comes back with it; sessions end with that. */
export const profileChosen = tolerantObject({ product_id: z.string(), is_restarting: z.boolean() });
export type ProfileChosen = z.infer<typeof profileChosen>;
