import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const daysSchema = z.int().min(1).max(36_500).nullable();

/** How many days events and delivery logs are kept. Null: without end; for a choice of the owner: as long as permitted. */
export const retentionResponseSchema = tolerantObjectSchema({
  event_days: daysSchema,
  delivery_days: daysSchema,
  /** The longest time that the operator permits. */
  event_limit_days: daysSchema,
  delivery_limit_days: daysSchema,
  /** The time that applies. */
  effective_event_days: daysSchema,
  effective_delivery_days: daysSchema,
});
export type RetentionResponse = z.infer<typeof retentionResponseSchema>;

export const editRetentionRequestSchema = z.strictObject({
  event_days: daysSchema.optional(),
  delivery_days: daysSchema.optional(),
});
export type EditRetentionRequest = z.infer<typeof editRetentionRequestSchema>;
