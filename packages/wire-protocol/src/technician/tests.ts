import * as z from 'zod';
import { dateTime } from '../schema-parts/date-time.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { openEnum } from '../schema-parts/open-enum.ts';
import { tolerantObject } from '../schema-parts/tolerant-object.ts';
import { technicianName } from './input-rules.ts';
import { technicianEvent } from './live.ts';

export const SHORTEST_PULSE_MS = 100;
export const LONGEST_PULSE_MS = 5_000;

/** `POST /technician/v1/outputs/{output}/pulse`. */
export const outputPulse = z.strictObject({ ms: z.int().min(SHORTEST_PULSE_MS).max(LONGEST_PULSE_MS) });

/** `POST /technician/v1/gadgets/{gadget_id}/actions/{action_id}`, with an empty body. */
export const gadgetActionDone = tolerantObject({ event_id: idOf('event') });
export type GadgetActionDone = z.infer<typeof gadgetActionDone>;

/** `GET /technician/v1/events`: the newest first. */
export const technicianEvents = tolerantObject({ data: z.array(technicianEvent) });
export type TechnicianEvents = z.infer<typeof technicianEvents>;

/** `POST /technician/v1/readers/{station}/next_card`, with an empty body: answers when a card comes, or after 30 s. */
export const nextCard = tolerantObject({
  outcome: z.enum(['card', 'phone', 'no_card']),
  station: z.string(),
  /** The whole uid, told here once and nowhere else; null for a phone, which has none. */
  uid: z.string().nullable(),
});
export type NextCard = z.infer<typeof nextCard>;

/** What lights and buzzer can show for a test. Alarms are not among them: those stay on until somebody ends them. */
export const testablePatterns = [
  'granted',
  'denied',
  'key_taken',
  'rule_armed',
  'cleared',
  'forgotten',
  'locked_out',
] as const;

/** `POST /technician/v1/stations/{station}/feedback`. */
export const feedbackTest = z.strictObject({ pattern: z.enum(testablePatterns) });

/** The lines that it is played on; none where neither a light nor a buzzer is fitted. */
export const feedbackPlayed = tolerantObject({ lines: z.array(z.string()) });
export type FeedbackPlayed = z.infer<typeof feedbackPlayed>;

export const testResults = ['passed', 'failed', 'skipped'] as const;

/** Such as `output:strike-0`, `gadget:gad_1:open`, `reader:front`, `feedback:front`, `input:contact-0`, `health:clock`. */
const testId = z
  .string()
  .max(120)
  .regex(/^[a-z][a-z0-9_]*(:[A-Za-z0-9_.-]+)*$/, { error: 'must be words with colons: output:strike-0' });

/** `POST /technician/v1/tests`: how a person judges what they have tried. */
export const testJudgement = z.strictObject({
  id: testId,
  result: z.enum(testResults),
  note: z.string().max(500).optional(),
});
export type TestJudgement = z.infer<typeof testJudgement>;

/** What the controller itself saw when it was tried. */
const testSight = tolerantObject({ at: dateTime, ok: z.boolean(), what: z.string() });

const testEntry = tolerantObject({
  id: z.string(),
  /** Null: it was tried, and nobody has judged it since. */
  result: openEnum(testResults).nullable(),
  note: z.string().nullable(),
  at: dateTime,
  time_trusted: z.boolean(),
  by: technicianName,
  /** Through the bridge, and not at the door. */
  is_remote: z.boolean(),
  seen: testSight.nullable(),
});
export type TestEntry = z.infer<typeof testEntry>;

/** `GET /technician/v1/tests`: the newest of each, the newest first. */
export const technicianTests = tolerantObject({ data: z.array(testEntry) });
export type TechnicianTests = z.infer<typeof technicianTests>;
