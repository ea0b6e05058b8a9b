import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
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
  /** The bridge itself is to be reached, not only the gateway. */
  online: z.boolean(),
  /** The broker that it hangs on, the bridge's or a gateway's. */
  via: z.string().nullable(),
  since: dateTime.nullable(),
  last_contact: dateTime.nullable(),
});

const gadget = tolerantObject({
  gadget_id: idOf('gadget'),
  name: z.string(),
  actions: z.array(named),
  state_id: z.string().nullable(),
  since: dateTime.nullable(),
});

const line = {
  /** What it is wired for, such as `contact` or `strike`; null where it is for nothing. */
  role: z.string().nullable(),
  gadget_id: idOf('gadget').nullable(),
} as const;

const station = tolerantObject({
  id: z.string(),
  keypad: z.boolean(),
  reader: z.boolean(),
  /** After too many wrong entries. */
  locked_for_ms: z.number(),
});

/** `GET /technician/v1/status`. */
export const technicianStatus = tolerantObject({
  product_id: z.string(),
  firmware: z.string(),
  name: z.string(),
  claimed: z.boolean(),
  device_id: idOf('device').nullable(),
  organization_id: idOf('organization').nullable(),
  site_id: idOf('site').nullable(),
  /** As the desk calls them; null until the first slice. */
  device_name: z.string().nullable(),
  site_name: z.string().nullable(),
  uptime_ms: z.number(),
  upstream,
  /** `age_ms`: how long ago the bridge last said that it is what it should be; null where it has not. */
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
      /** Of a gadget: moved through its actions, so that interlocks and states hold. */
      can_pulse: z.boolean(),
    }),
  ),
  stations: z.array(station),
  /** Null where no line of the board tells. */
  power: tolerantObject({
    mains_present: z.boolean().nullable(),
    battery_present: z.boolean().nullable(),
    battery_charging: z.boolean().nullable(),
    battery_percent: z.number().nullable(),
  }),
  rules: tolerantObject({ pending: z.boolean(), conflict: z.boolean() }),
  /** In a file, a stolen disk reveals the PINs. */
  digest_key_kept_in: z.enum(['hardware', 'file']),
  disk: tolerantObject({ free_bytes: z.number(), total_bytes: z.number() }).nullable(),
});
export type TechnicianStatus = z.infer<typeof technicianStatus>;

/** `GET /technician/v1/support_bundle`: no key, no digest, no PIN, no uid, no code that opens anything, nobody's name. */
export const supportBundle = tolerantObject({
  v: z.literal(1),
  made_at: dateTime,
  versions: z.record(z.string(), z.string()),
  /** Bundles of an earlier version tell neither of the supply nor of names. */
  status: tolerantObject({
    ...technicianStatus.shape,
    device_name: z.string().nullable().exactOptional(),
    site_name: z.string().nullable().exactOptional(),
    power: technicianStatus.shape.power.exactOptional(),
  }),
  profile: z.unknown(),
  input_rules: z.array(tolerantObject({ code: z.string(), gadget_id: idOf('gadget'), action_id: z.string() })),
  counters: z.record(z.string(), z.number()),
  clock_history: z.array(tolerantObject({ ...clock.shape, uptime_ms: z.number(), stepped_ms: z.number() })),
  events: z.array(z.unknown()),
  log: z.array(z.string()),
});
export type SupportBundle = z.infer<typeof supportBundle>;
