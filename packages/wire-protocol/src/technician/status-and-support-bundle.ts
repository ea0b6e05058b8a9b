import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const named = tolerantObjectSchema({ id: z.string(), name: z.string() });

const fault = tolerantObjectSchema({ code: z.string(), message: z.string(), since: dateTimeSchema });

const clock = tolerantObjectSchema({
  time: dateTimeSchema,
  trusted: z.boolean(),
  source: openEnumSchema(['rtc', 'bridge', 'ntp', 'floor']),
});

const upstream = tolerantObjectSchema({
  connected: z.boolean(),
  /** The bridge is reachable, not only the gateway. */
  online: z.boolean(),
  /** The broker it is connected to, the bridge's or a gateway's. */
  via: z.string().nullable(),
  since: dateTimeSchema.nullable(),
  last_contact: dateTimeSchema.nullable(),
});

const gadget = tolerantObjectSchema({
  gadget_id: idSchema('gadget'),
  name: z.string(),
  actions: z.array(named),
  state_id: z.string().nullable(),
  since: dateTimeSchema.nullable(),
});

const line = {
  /** Its role, such as `contact` or `strike`; null if unused. */
  role: z.string().nullable(),
  gadget_id: idSchema('gadget').nullable(),
} as const;

const station = tolerantObjectSchema({
  id: z.string(),
  keypad: z.boolean(),
  reader: z.boolean(),
  /** Remaining lockout time. */
  locked_for_ms: z.number(),
});

/** `GET /technician/v1/status`. */
export const technicianStatusResponseSchema = tolerantObjectSchema({
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
  /** Null without a snapshot or a zone. */
  site_time_zone: z.string().nullable(),
  uptime_ms: z.number(),
  upstream,
  /** `age_ms`: time since the bridge last confirmed the revision; null if it has not. */
  slice: tolerantObjectSchema({ revision: z.int(), age_ms: z.number().nullable() }).nullable(),
  waiting_events: z.int(),
  faults: z.array(fault),
  clock,
  gadgets: z.array(gadget),
  inputs: z.array(tolerantObjectSchema({ input: z.string(), level: z.string(), ...line })),
  outputs: z.array(
    tolerantObjectSchema({
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
  power: tolerantObjectSchema({
    mains_present: z.boolean().nullable(),
    battery_present: z.boolean().nullable(),
    battery_charging: z.boolean().nullable(),
    battery_percent: z.number().nullable(),
  }),
  rules: tolerantObjectSchema({ pending: z.boolean(), conflict: z.boolean() }),
  /** With `file`, a stolen disk reveals the PINs. */
  digest_key_kept_in: z.enum(['hardware', 'file']),
  disk: tolerantObjectSchema({ free_bytes: z.number(), total_bytes: z.number() }).nullable(),
});
export type TechnicianStatusResponse = z.infer<typeof technicianStatusResponseSchema>;

/** `GET /technician/v1/support_bundle`: contains no keys, digests, PINs, uids, codes or names of people. */
export const supportBundleSchema = tolerantObjectSchema({
  v: z.literal(1),
  made_at: dateTimeSchema,
  versions: z.record(z.string(), z.string()),
  /** Bundles of earlier versions contain neither power status nor names. */
  status: tolerantObjectSchema({
    ...technicianStatusResponseSchema.shape,
    device_name: z.string().nullable().exactOptional(),
    site_name: z.string().nullable().exactOptional(),
    power: technicianStatusResponseSchema.shape.power.exactOptional(),
  }),
  profile: z.unknown(),
  input_rules: z.array(
    tolerantObjectSchema({ code: z.string(), gadget_id: idSchema('gadget'), action_id: z.string() }),
  ),
  counters: z.record(z.string(), z.number()),
  clock_history: z.array(tolerantObjectSchema({ ...clock.shape, uptime_ms: z.number(), stepped_ms: z.number() })),
  events: z.array(z.unknown()),
  log: z.array(z.string()),
});
export type SupportBundle = z.infer<typeof supportBundleSchema>;
