import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { technicianHealth } from './health.ts';
import { technicianIdentity } from './input-rules.ts';
import { technicianStatus } from './status.ts';
import { technicianTests } from './tests.ts';

const place = tolerantObject({ id: z.string().nullable(), name: z.string().nullable() });

const wire = tolerantObject({
  kind: openEnum(['output', 'input', 'supply', 'data', 'plug']),
  from: z.string(),
  to: z.string(),
  /** The name and role of the line in the profile. */
  name: z.string(),
});

/** The wires of one board; `board` is null for the controller itself. */
const wireGroup = tolerantObject({ title: z.string(), board: z.string().nullable(), wires: z.array(wire) });

const ruleInWords = tolerantObject({
  code: z.string(),
  gadget_id: idSchema('gadget'),
  /** Null for an unknown gadget. */
  gadget_name: z.string().nullable(),
  action_id: z.string(),
  action_name: z.string().nullable(),
  is_own: z.boolean(),
});

/** `GET /technician/v1/report`: the contents of the handover report. */
export const technicianReport = tolerantObject({
  made_at: dateTime,
  by: technicianIdentity,
  device: place,
  organization: place,
  site: place,
  product: tolerantObject({ id: z.string(), name: z.string().nullable(), revision: z.string().nullable() }),
  wiring: z.array(wireGroup),
  rules: z.array(ruleInWords),
  /** Only without any rules: the default for PINs and cards. */
  without_rules: ruleInWords.nullable(),
  /** Not yet acknowledged by the bridge. */
  rules_pending: z.boolean(),
  tests: technicianTests.shape.data,
  health: technicianHealth,
  certificates: tolerantObject({
    /** SHA-256, as on the label. */
    technician: z.string(),
    /** The device certificate for the bridge; null until the controller is claimed. */
    device_serial: z.string().nullable(),
    device_fingerprint: z.string().nullable(),
    device_expires_at: dateTime.nullable(),
  }),
  last_sync: dateTime.nullable(),
  status: technicianStatus,
});
export type TechnicianReport = z.infer<typeof technicianReport>;
