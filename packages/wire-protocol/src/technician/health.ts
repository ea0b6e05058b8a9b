import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';

export const healthStates = ['ok', 'warn', 'fail', 'unknown'] as const;

const healthCheck = tolerantObject({
  /** Such as `line`, `clock`, `reader:front`, `signal:front`. */
  id: z.string(),
  title: z.string(),
  state: z.enum(healthStates),
  /** What is so. */
  found: z.string(),
  /** What to do about it; null where there is nothing to do. */
  advice: z.string().nullable(),
});
export type HealthCheck = z.infer<typeof healthCheck>;

/** `GET /technician/v1/health`. */
export const technicianHealth = tolerantObject({
  at: dateTime,
  /** The worst of all checks; `unknown` is worse than `ok` only. */
  state: z.enum(healthStates),
  checks: z.array(healthCheck),
});
export type TechnicianHealth = z.infer<typeof technicianHealth>;
