import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

export const healthStates = ['ok', 'warn', 'fail', 'unknown'] as const;

const healthCheck = tolerantObject({
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
export const technicianHealth = tolerantObject({
  at: dateTime,
  /** The worst state of all checks; `unknown` is worse than `ok` only. */
  state: z.enum(healthStates),
  checks: z.array(healthCheck),
});
export type TechnicianHealth = z.infer<typeof technicianHealth>;
