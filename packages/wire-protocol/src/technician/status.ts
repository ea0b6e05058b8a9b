import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

const named = tolerantObject({ id: z.string(), name: z.string() });

const fault = tolerantObject({ code: z.string(), message: z.string(), since: dateTime });

const clock = tolerantObject({
  time: dateTime,
  trusted: z.boolean(),
  source: openEnum(['rtc', 'bridge', 'ntp', 'floor']),
});

const upstream = tolerantObject({
  connected: z.boolean(),
  /** The bridge is reachable, not only the gateway. */
  online: z.boolean(),
  /** The broker it is connected to, the bridge's or a gateway's. */
  via: z.string().nullable(),
  since: dateTime.nullable(),
  last_contact: dateTime.nullable(),
});

const gadget = tolerantObject({
  gadget_id: idSchema('gadget'),
  name: z.string(),
  actions: z.array(named),
  state_id: z.string().nullable(),
  since: dateTime.nullable(),
});

const line = {
  /** Its role, such as `contact` or `strike`; null if unused. */
  role: z.string().nullable(),
  gadget_id: idSchema('gadget').nullable(),
} as const;

const station = tolerantObject({
  id: z.string(),
  keypad: z.boolean(),
  reader: z.boolean(),
  /** Remaining lockout time. */
  locked_for_ms: z.number(),
});

/** `GET /technician/v1/status`. */
export const technicianStatus = tolerantObject({
  product_id: z.string(),
  firmware: z.string(),
  name: z.string(),
  claimed: z.boolean(),
  device_id: idSchema('device').nullable(),
  organization_id: idSchema('organization').nullable(),
  site_id: idSchema('site').nullable(),
  /** The names in the bridge; null until the first snapshot. */
  device_name: z.string().nullable(),
  site_name: z.string().nullable(),
  uptime_ms: z.number(),
  upstream,
  /** `age_ms`: time since the bridge last confirmed the revision; null if it has not. */
  slice: tolerantObject({ revision: z.int(), age_ms: z.number().nullable() }).nullable(),
  waiting_events: z.int(),
  faults: z.array(fault),
  clock,
  gadgets: z.array(gadget),
  inputs: z.array(tolerantObject({ input: z.string(), level: z.string(), ...line })),
  outputs: z.array(
    tolerantObject({
      output: z.string(),
      ...line,
      /**
       * False for outputs of a gadget, which are switched through its actions, so that interlocks and states are
       * respected.
       */
      can_pulse: z.boolean(),
    }),
  ),
  stations: z.array(station),
  /** Null if the board has no such input. */
  power: tolerantObject({
    mains_present: z.boolean().nullable(),
    battery_present: z.boolean().nullable(),
    battery_charging: z.boolean().nullable(),
    battery_percent: z.number().nullable(),
  }),
  rules: tolerantObject({ pending: z.boolean(), conflict: z.boolean() }),
  /** With `file`, a stolen disk reveals the PINs. */
  digest_key_kept_in: z.enum(['hardware', 'file']),
  disk: tolerantObject({ free_bytes: z.number(), total_bytes: z.number() }).nullable(),
});
export type TechnicianStatus = z.infer<typeof technicianStatus>;

/** `GET /technician/v1/support_bundle`: contains no keys, digests, PINs, uids, codes or names of people. */
export const supportBundle = tolerantObject({
  v: z.literal(1),
  made_at: dateTime,
  versions: z.record(z.string(), z.string()),
  /** Bundles of earlier versions contain neither power status nor names. */
  status: tolerantObject({
    ...technicianStatus.shape,
    device_name: z.string().nullable().exactOptional(),
    site_name: z.string().nullable().exactOptional(),
    power: technicianStatus.shape.power.exactOptional(),
  }),
  profile: z.unknown(),
  input_rules: z.array(tolerantObject({ code: z.string(), gadget_id: idSchema('gadget'), action_id: z.string() })),
  counters: z.record(z.string(), z.number()),
  clock_history: z.array(tolerantObject({ ...clock.shape, uptime_ms: z.number(), stepped_ms: z.number() })),
  events: z.array(z.unknown()),
  log: z.array(z.string()),
});
export type SupportBundle = z.infer<typeof supportBundle>;
