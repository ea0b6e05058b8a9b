import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

export const healthStates = ['ok', 'warn', 'fail', 'unknown'] as const;

const healthCheck = tolerantObjectSchema({
  /** Such as `line`, `clock`, `reader:front`, `signal:front`. */
  id: z.string(),
  title: z.string(),
  state: z.enum(healthStates),
  /** The finding. */
  found: z.string(),
  /** The recommended action; null if none. */
  advice: z.string().nullable(),
});
export type HealthCheck = z.infer<typeof healthCheck>;

/** `GET /technician/v1/health`. */
export const technicianHealthResponseSchema = tolerantObjectSchema({
  at: dateTimeSchema,
  /** The worst state of all checks; `unknown` is worse than `ok` only. */
  state: z.enum(healthStates),
  checks: z.array(healthCheck),
});
export type TechnicianHealthResponse = z.infer<typeof technicianHealthResponseSchema>;
