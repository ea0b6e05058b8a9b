import * as z from 'zod';
import { parseScenarioDuration, isValidScenarioTime, SCENARIO_TIME_ERROR } from './scenario-time.ts';
import { parseScenarioWeeklyHours } from './weekly-hours.ts';

/** A name that the scenario file defines. */
export const scenarioNameSchema = z.string().min(1).max(64);

export const scenarioTimeSchema = z.string().refine(isValidScenarioTime, { error: SCENARIO_TIME_ERROR });

export const scenarioDurationSchema = z
  .string()
  .refine(text => parseScenarioDuration(text) !== null, { error: 'must be a duration such as "90s", "8h" or "1d2h"' });

export const scenarioKeypadKeysSchema = z
  .string()
  .regex(/^[0-9*#]{1,64}$/, { error: 'must be keys of a keypad: 0-9, * and #' });

export const scenarioPinSchema = z.string().regex(/^\d{4,20}$/, { error: 'must be 4 to 20 digits' });

export const scenarioCardUidSchema = z.string().regex(/^(?:[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20})$/, {
  error: 'must be 4, 7 or 10 bytes in lower-case hexadecimal',
});

export const scenarioWeeklyHoursSchema = z.string().refine(text => parseScenarioWeeklyHours(text) !== null, {
  error: 'must be hours of the week such as "Mon-Fri 08:00-18:00, Sat 10:00-14:00"',
});
