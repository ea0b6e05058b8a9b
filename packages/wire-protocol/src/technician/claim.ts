import { createExactlyOneFieldCheck } from '../rest/field-choice-checks.ts';
import * as z from 'zod';
import { createGadgetRequestSchema } from '../rest/gadget.ts';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { nameTextSchema } from '../schema-parts/plain-text.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

/**
 * `POST /technician/v1/claim`: redeemed as soon as the controller is online. A ticket contains the address of its
 * bridge, a code does not.
 */
export const technicianClaimRequestSchema = z
  .strictObject({
    ticket: z.string().min(1).max(8192).optional(),
    code: z.string().min(1).max(64).optional(),
    bridge_url: z
      .url({ protocol: /^https?$/, error: 'must be a URL such as https://doors.example.com' })
      .max(2048)
      .optional(),
    /** With a code: SHA-256 of the CA of the bridge's certificate, if the CA is not publicly trusted. */
    ca_fingerprint: z
      .string()
      .regex(/^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$/, { error: 'must be 32 pairs of hex digits with colons' })
      .optional(),
    /** For a ticket that creates a new device; default: name and gadgets of the hardware profile. */
    name: nameTextSchema(1).optional(),
    gadgets: z.array(createGadgetRequestSchema).max(64).optional(),
    /** Allowed on a claimed controller: after the setup button was pressed, and with the setup code only. */
    replace: z.boolean().optional(),
  })
  .check(createExactlyOneFieldCheck('ticket', 'code'))
  .check(({ value: { code, bridge_url }, issues }) => {
    if (code === undefined || bridge_url !== undefined) return;
    const message = 'must be set: a code does not contain the address of its bridge';
    issues.push({ code: 'custom', input: bridge_url, path: ['bridge_url'], message });
  });
export type TechnicianClaimRequest = z.infer<typeof technicianClaimRequestSchema>;

/** A pending or failed claim of a controller that is already claimed. */
const newClaimSchema = tolerantObjectSchema({
  state: z.enum(['waiting', 'refused']),
  bridge_url: z.string().nullable(),
  /** Result of the last attempt. */
  message: z.string().nullable(),
  expires_at: dateTimeSchema.nullable(),
});

/** `GET /technician/v1/claim`. */
export const technicianClaimStateResponseSchema = tolerantObjectSchema({
  /** `waiting`: offline, or the bridge has not responded; retried automatically. */
  state: z.enum(['unclaimed', 'waiting', 'refused', 'claimed']),
  device_id: idSchema('device').nullable(),
  organization_id: idSchema('organization').nullable(),
  site_id: idSchema('site').nullable(),
  bridge_url: z.string().nullable(),
  /** Result of the last attempt. */
  message: z.string().nullable(),
  expires_at: dateTimeSchema.nullable(),
  /** The gadgets of the hardware profile, used if the claim names none. */
  gadgets: z.array(z.unknown()),
  /** Null unless `state` is `claimed` and a claim with `replace` was made since. */
  new_claim: newClaimSchema.nullable(),
  /** Null unless the controller waits for the confirmation of an administrator: SHA-256 of its key, in hex, to compare with the console. */
  confirmation: tolerantObjectSchema({ fingerprint: z.string() }).nullable(),
});
export type TechnicianClaimStateResponse = z.infer<typeof technicianClaimStateResponseSchema>;
