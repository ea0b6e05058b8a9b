import * as z from 'zod';
import { dateTimeSchema } from '../schema-parts/date-time.ts';
import { idSchema } from '../schema-parts/identifier.ts';
import { openEnumSchema } from '../schema-parts/open-enum.ts';
import { tolerantObjectSchema } from '../schema-parts/tolerant-object.ts';
import { technicianIdentitySchema } from './input-rules.ts';
import { technicianEventResponseSchema } from './live-message.ts';

export const MIN_OUTPUT_PULSE_MS = 100;
export const MAX_OUTPUT_PULSE_MS = 5_000;

/** `POST /technician/v1/outputs/{output}/pulse`. */
export const outputPulseRequestSchema = z.strictObject({
  ms: z.int().min(MIN_OUTPUT_PULSE_MS).max(MAX_OUTPUT_PULSE_MS),
});

/** `POST /technician/v1/gadgets/{gadget_id}/actions/{action_id}`, with an empty body. */
export const technicianGadgetActionResponseSchema = tolerantObjectSchema({ event_id: idSchema('event') });
export type TechnicianGadgetActionResponse = z.infer<typeof technicianGadgetActionResponseSchema>;

/** `GET /technician/v1/events`: newest first. */
export const technicianEventsResponseSchema = tolerantObjectSchema({ data: z.array(technicianEventResponseSchema) });
export type TechnicianEventsResponse = z.infer<typeof technicianEventsResponseSchema>;

/**
 * `POST /technician/v1/readers/{station}/next_card`, with an empty body: responds when a card is presented, or after
 * 30 s.
 */
export const nextCardResponseSchema = tolerantObjectSchema({
  outcome: z.enum(['card', 'phone', 'magic_link', 'no_card']),
  station: z.string(),
  /** The complete uid, returned only here; null for a phone or a QR code. */
  uid: z.string().nullable(),
});
export type NextCardResponse = z.infer<typeof nextCardResponseSchema>;

/** Patterns of lights and buzzer for a test. Alarms are excluded, because they stay on until they are ended. */
export const testableFeedbackPatterns = [
  'granted',
  'denied',
  'key_taken',
  'rule_armed',
  'cleared',
  'forgotten',
  'locked_out',
] as const;

/** `POST /technician/v1/stations/{station}/feedback`. */
export const feedbackTestRequestSchema = z.strictObject({ pattern: z.enum(testableFeedbackPatterns) });

/** The lines that play the pattern; empty without a light or buzzer. */
export const feedbackTestResponseSchema = tolerantObjectSchema({ lines: z.array(z.string()) });
export type FeedbackTestResponse = z.infer<typeof feedbackTestResponseSchema>;

export const hardwareTestResults = ['passed', 'failed', 'skipped'] as const;

/** Such as `output:strike-0`, `gadget:gad_1:open`, `reader:front`, `feedback:front`, `input:contact-0`, `health:clock`. */
const testId = z
  .string()
  .max(120)
  .regex(/^[a-z][a-z0-9_]*(:[A-Za-z0-9_.-]+)*$/, {
    error: 'must be words separated by colons, such as output:strike-0',
  });

/** `POST /technician/v1/tests`: the result of a test, as judged by the technician. */
export const hardwareTestResultRequestSchema = z.strictObject({
  id: testId,
  result: z.enum(hardwareTestResults),
  note: z.string().max(500).optional(),
});
export type HardwareTestResultRequest = z.infer<typeof hardwareTestResultRequestSchema>;

/** What the controller observed during the test. */
const testSight = tolerantObjectSchema({ at: dateTimeSchema, ok: z.boolean(), what: z.string() });

const testEntry = tolerantObjectSchema({
  id: z.string(),
  /** Null: the test was run, but its result is pending. */
  result: openEnumSchema(hardwareTestResults).nullable(),
  note: z.string().nullable(),
  at: dateTimeSchema,
  time_trusted: z.boolean(),
  by: technicianIdentitySchema,
  /** Through the bridge instead of at the door. */
  is_remote: z.boolean(),
  seen: testSight.nullable(),
});
export type HardwareTestRecord = z.infer<typeof testEntry>;

/** `GET /technician/v1/tests`: the latest result of each test, newest first. */
export const technicianHardwareTestsResponseSchema = tolerantObjectSchema({ data: z.array(testEntry) });
export type TechnicianHardwareTestsResponse = z.infer<typeof technicianHardwareTestsResponseSchema>;
