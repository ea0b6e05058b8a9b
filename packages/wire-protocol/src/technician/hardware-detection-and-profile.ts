import * as z from 'zod';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const finding = tolerantObjectSchema({
  area: z.string(),
  level: openEnumSchema(['ok', 'note', 'bad']),
  text: z.string(),
  /** What to do about it. */
  fix: z.string().nullable(),
});

const profileFit = tolerantObjectSchema({
  product_id: z.string(),
  name: z.string(),
  /** All required hardware was found. */
  fits: z.boolean(),
  is_current: z.boolean(),
  /** Number of required items that were found. */
  found: z.int(),
  wanted: z.int(),
  missing: z.array(tolerantObjectSchema({ text: z.string(), fix: z.string().nullable() })),
});
export type HardwareProfileFit = z.infer<typeof profileFit>;

/** `GET /technician/v1/doctor`: the detected hardware and the matching profiles, best first. */
export const hardwareDetectionResponseSchema = tolerantObjectSchema({
  findings: z.array(finding),
  profiles: z.array(profileFit),
  /** Null without a known profile. */
  current: z.string().nullable(),
  /** Null if the profile can be changed here; otherwise the reason, as in `args.reason` of `PUT profile`. */
  fixed_because: openEnumSchema(['fixed_by_command', 'claim_waiting']).nullable(),
});
export type HardwareDetectionResponse = z.infer<typeof hardwareDetectionResponseSchema>;

/** `POST /technician/v1/profile/check`: a shipped profile by name, or a complete profile. */
export const checkHardwareProfileRequestSchema = z.union([
  z.strictObject({ name: z.string().min(1).max(64) }),
  z.strictObject({ profile: z.record(z.string(), z.unknown()) }),
]);

export type CheckHardwareProfileRequest = z.infer<typeof checkHardwareProfileRequestSchema>;

/** What changes at a claimed controller. */
export const hardwareProfileCheckResponseSchema = tolerantObjectSchema({
  product_id: z.string(),
  name: z.string(),
  /** The gadgets of this controller, in order of creation. */
  gadgets: z.array(
    tolerantObjectSchema({
      gadget_id: idSchema('gadget'),
      name: z.string(),
      /** The gadget of the profile that it uses now and would use; null: none, so that nothing moves. */
      now: z.string().nullable(),
      next: z.string().nullable(),
    }),
  ),
  /** The rules of this controller that select a gadget without hardware. */
  rules: z.array(tolerantObjectSchema({ code: z.string(), gadget_id: idSchema('gadget') })),
  /** Reader units that are no longer there. */
  lost_stations: z.array(z.string()),
});
export type HardwareProfileCheckResponse = z.infer<typeof hardwareProfileCheckResponseSchema>;

/** `PUT /technician/v1/profile`. A claimed controller needs `confirm`. */
const confirm = z.literal(true).optional();
export const setHardwareProfileRequestSchema = z.union([
  z.strictObject({ name: z.string().min(1).max(64), confirm }),
  z.strictObject({ profile: z.record(z.string(), z.unknown()), confirm }),
]);
export type SetHardwareProfileRequest = z.infer<typeof setHardwareProfileRequestSchema>;

/** The controller restarts with the profile, which ends all sessions. */
export const setHardwareProfileResponseSchema = tolerantObjectSchema({
  product_id: z.string(),
  is_restarting: z.boolean(),
});
export type SetHardwareProfileResponse = z.infer<typeof setHardwareProfileResponseSchema>;
