import * as z from 'zod';
import { createMillisecondsSchema, partNameSchema } from '@lintel/drivers/settings';

/** A reader unit: keypad, card reader, or both. The indicator lights are outputs. */
export const readerUnitSchema = z
  .strictObject({
    keypad: partNameSchema.optional(),
    reader: partNameSchema.optional(),
    indicator: z
      .strictObject({
        green: partNameSchema.optional(),
        red: partNameSchema.optional(),
        buzzer: partNameSchema.optional(),
      })
      .default({}),
  })
  .check(({ value, issues }) => {
    if (value.keypad !== undefined || value.reader !== undefined) return;
    issues.push({ code: 'custom', input: value, path: [], message: 'must have a keypad or a reader' });
  });

const light = z.enum(['green', 'red', 'buzzer']);
const lightMs = createMillisecondsSchema(1, 60_000);

const patternStep = z.discriminatedUnion('step', [
  z.strictObject({ step: z.literal('on'), output: light }),
  z.strictObject({ step: z.literal('off'), output: light }),
  z.strictObject({ step: z.literal('pulse'), output: light, ms: lightMs }),
  z.strictObject({ step: z.literal('wait'), ms: lightMs }),
]);
const pattern = z.array(patternStep).max(32);

/** Light and sound patterns. All denials have the same pattern, so that the door does not reveal the reason. */
export const feedbackPatternsSchema = z.partialRecord(
  z.enum([
    'key_taken',
    'rule_armed',
    'cleared',
    'forgotten',
    'locked_out',
    'granted',
    'refused',
    'quiet',
    'pre_alarm',
    'held_open',
    'forced',
  ]),
  pattern,
);
export type FeedbackPatterns = z.infer<typeof feedbackPatternsSchema>;
