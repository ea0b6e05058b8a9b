import * as z from 'zod';
import { gadgetCreate } from '../rest/gadget.ts';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { nameText } from '../schema-parts/plain-text.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

/** `POST /technician/v1/claim`: redeemed when there is a line. A ticket says where its bridge is, a code does not. */
export const technicianClaim = z
  .strictObject({
    ticket: z.string().min(1).max(8192).optional(),
    code: z.string().min(1).max(64).optional(),
    bridge_url: z
      .url({ protocol: /^https?$/, error: 'must be an address: https://doors.example.com' })
      .max(2048)
      .optional(),
    /** With a code: SHA-256 of the authority behind the bridge's certificate, where no system trusts it. */
    ca_fingerprint: z
      .string()
      .regex(/^([0-9A-Fa-f]{2}:){31}[0-9A-Fa-f]{2}$/, { error: 'must be 32 pairs of hex digits with colons' })
      .optional(),
    /** For a ticket that makes a new device; left out, they are those of the controller's profile. */
    name: nameText(1).optional(),
    gadgets: z.array(gadgetCreate).max(64).optional(),
    /** Also where the controller is claimed: after its button was pressed, and with the setup code only. */
    replace: z.boolean().optional(),
  })
  .check(({ value: { ticket, code, bridge_url }, issues }) => {
    if ((ticket === undefined) === (code === undefined)) {
      issues.push({ code: 'custom', input: code, path: ['ticket'], message: 'must be set, or code, but not both' });
    } else if (code !== undefined && bridge_url === undefined) {
      const message = 'must be set: a code does not say where its bridge is';
      issues.push({ code: 'custom', input: bridge_url, path: ['bridge_url'], message });
    }
  });
export type TechnicianClaim = z.infer<typeof technicianClaim>;

/** A claimed controller that is on its way to somebody else, or was refused on it. */
const claimAnew = tolerantObject({
  state: z.enum(['waiting', 'refused']),
  bridge_url: z.string().nullable(),
  /** What the last try said. */
  message: z.string().nullable(),
  expires_at: dateTime.nullable(),
});

/** `GET /technician/v1/claim`. */
export const technicianClaimState = tolerantObject({
  /** `waiting`: there is no line yet, or the bridge has not answered; it is tried again by itself. */
  state: z.enum(['unclaimed', 'waiting', 'refused', 'claimed']),
  device_id: idOf('device').nullable(),
  organization_id: idOf('organization').nullable(),
  site_id: idOf('site').nullable(),
  bridge_url: z.string().nullable(),
  /** What the last try said. */
  message: z.string().nullable(),
  expires_at: dateTime.nullable(),
  /** What a new device gets where the claim names no gadgets: those of the controller's profile. */
  gadgets: z.array(z.unknown()),
  /** Null unless `state` is `claimed` and `replace` was asked for since. */
  anew: claimAnew.nullable(),
});
export type TechnicianClaimState = z.infer<typeof technicianClaimState>;
