import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { technicianHealthResponseSchema } from './health.ts';
import { technicianIdentitySchema } from './input-rules.ts';
import { technicianStatusResponseSchema } from './status-and-support-bundle.ts';
import { technicianHardwareTestsResponseSchema } from './hardware-tests.ts';

const place = tolerantObjectSchema({ id: z.string().nullable(), name: z.string().nullable() });

const wire = tolerantObjectSchema({
  kind: openEnumSchema(['output', 'input', 'supply', 'data', 'plug']),
  from: z.string(),
  to: z.string(),
  /** The name and role of the line in the profile. */
  name: z.string(),
});

/** The wires of one board; `board` is null for the controller itself. */
const wireGroup = tolerantObjectSchema({ title: z.string(), board: z.string().nullable(), wires: z.array(wire) });

const ruleInWords = tolerantObjectSchema({
  code: z.string(),
  gadget_id: idSchema('gadget'),
  /** Null for an unknown gadget. */
  gadget_name: z.string().nullable(),
  action_id: z.string(),
  action_name: z.string().nullable(),
  is_own: z.boolean(),
});

/** `GET /technician/v1/report`: the contents of the handover report. */
export const handoverReportResponseSchema = tolerantObjectSchema({
  made_at: dateTimeSchema,
  by: technicianIdentitySchema,
  device: place,
  organization: place,
  site: place,
  product: tolerantObjectSchema({ id: z.string(), name: z.string().nullable(), revision: z.string().nullable() }),
  wiring: z.array(wireGroup),
  rules: z.array(ruleInWords),
  /** Only without any rules: the default for PINs and cards. */
  without_rules: ruleInWords.nullable(),
  /** Not yet acknowledged by the bridge. */
  rules_pending: z.boolean(),
  tests: technicianHardwareTestsResponseSchema.shape.data,
  health: technicianHealthResponseSchema,
  certificates: tolerantObjectSchema({
    /** SHA-256, as on the label. */
    technician: z.string(),
    /** The device certificate for the bridge; null until the controller is claimed. */
    device_serial: z.string().nullable(),
    device_fingerprint: z.string().nullable(),
    device_expires_at: dateTimeSchema.nullable(),
  }),
  last_sync: dateTimeSchema.nullable(),
  status: technicianStatusResponseSchema,
});
export type HandoverReportResponse = z.infer<typeof handoverReportResponseSchema>;
