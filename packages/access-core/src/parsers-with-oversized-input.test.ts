import { describe, expect, it } from 'vitest';
import { parseActionSteps, parseOutputInterlocks } from './gadgets/action-steps.ts';
import { parseBlindConfig } from './gadgets/blind.ts';
import { parseDoorConfig } from './door/door-config.ts';
import { parseInputRules } from './input-rules.ts';
import { parseKeyEntryTimes } from './key-entry-times.ts';
import { parsePermissionRules } from './permission/parse-permission-rules.ts';
import type { Result } from './result.ts';
import { parseWeeklyTimeRanges } from './schedule.ts';
import { parseTriggerDefinition, type TriggerLookups } from './triggers/gadget-trigger.ts';

/** Too many to be spread into the arguments of one call. */
const strangers = Object.fromEntries(Array.from({ length: 140_000 }, (_, number) => [`x${number}`, number]));

const emptyDays = Array.from({ length: 6 }, () => ({ ranges: [] }));
const nothing: TriggerLookups = { gadget: () => undefined, hasSchedule: () => false, localPathProblem: () => null };

const hostile: readonly (readonly [string, () => Result<unknown>])[] = [
  ['permission rules', () => parsePermissionRules([strangers])],
  ['access methods', () => parsePermissionRules([{ access_methods: strangers }])],
  ['a thousand wrong permission rules', () => parsePermissionRules(Array.from({ length: 1000 }, () => 7))],
  ['a day', () => parseWeeklyTimeRanges([...emptyDays, strangers])],
  ['a range', () => parseWeeklyTimeRanges([...emptyDays, { ranges: [strangers] }])],
  [
    'a day of wrong ranges',
    () => parseWeeklyTimeRanges([...emptyDays, { ranges: Array.from({ length: 1440 }, () => 7) }]),
  ],
  [
    'a day of overlapping ranges',
    () => parseWeeklyTimeRanges([...emptyDays, { ranges: Array.from({ length: 1440 }, () => ({ start: 0, end: 9 })) }]),
  ],
  ['input rules', () => parseInputRules([strangers])],
  ['five hundred wrong input rules', () => parseInputRules(Array.from({ length: 500 }, () => ({ a: 1 })))],
  ['a door', () => parseDoorConfig(strangers)],
  ['a blind', () => parseBlindConfig(strangers)],
  ['steps', () => parseActionSteps([strangers, strangers])],
  ['interlocks', () => parseOutputInterlocks([strangers, strangers])],
  ['a trigger', () => parseTriggerDefinition(strangers, nothing)],
  ['times of key entry', () => parseKeyEntryTimes(strangers)],
];

describe('parsers given oversized input', () => {
  it.each(hostile)('reject it with at most a hundred problems: %s', (_, parse) => {
    const parsed = parse();
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? 0 : parsed.problems.length).toBeGreaterThan(0);
    expect(parsed.ok ? 0 : parsed.problems.length).toBeLessThanOrEqual(100);
  });

  it('stop reading a list after the hundredth problem', () => {
    let looked = 0;
    const watched = Array.from({ length: 1000 }, () => ({
      get stranger() {
        return looked++;
      },
      get presence() {
        looked++;
        return 'wifi';
      },
    }));
    parsePermissionRules(watched);
    expect(looked).toBeLessThan(300);
  });
});
