import * as z from 'zod';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';

const daysSchema = z.int().min(1).max(36_500).nullable();

/** How many days events and delivery logs are kept. Null: without end; for a choice of the owner: as long as permitted. */
export const retentionResponseSchema = tolerantObjectSchema({
  event_days: daysSchema.describe(
    'How long the owner wants events kept, in days, 1 to 36500. Null: as long as permitted',
  ),
  delivery_days: daysSchema.describe(
    'How long the owner wants delivery logs kept, in days, 1 to 36500. Null: as long as permitted',
  ),
  event_limit_days: daysSchema.describe('Longest time that the operator permits for events, in days. Null: no limit'),
  delivery_limit_days: daysSchema.describe(
    'Longest time that the operator permits for delivery logs, in days. Null: no limit',
  ),
  effective_event_days: daysSchema.describe('How long events are kept, in days. Null: without end'),
  effective_delivery_days: daysSchema.describe('How long delivery logs are kept, in days. Null: without end'),
}).describe('How long events and delivery logs are kept');
export type RetentionResponse = z.infer<typeof retentionResponseSchema>;

export const editRetentionRequestSchema = z.strictObject({
  event_days: daysSchema
    .optional()
    .describe('How long events are kept, in days, 1 to 36500. Null: as long as permitted'),
  delivery_days: daysSchema
    .optional()
    .describe('How long delivery logs are kept, in days, 1 to 36500. Null: as long as permitted'),
});
export type EditRetentionRequest = z.infer<typeof editRetentionRequestSchema>;
