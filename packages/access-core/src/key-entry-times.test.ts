import { describe, expect, it } from 'vitest';
import { defaultKeyEntryTimes } from './key-entry-types.ts';
import { parseKeyEntryTimes } from './key-entry-times.ts';

const problemsOf = (input: unknown, path?: string): string[] => {
  const parsed = parseKeyEntryTimes(input, path);
  return parsed.ok ? [] : parsed.problems.map(({ path: where, code }) => `${where} ${code}`);
};

describe('parseKeyEntryTimes', () => {
  it('fills in the defaults', () => {
    expect(parseKeyEntryTimes({})).toEqual({ ok: true, value: defaultKeyEntryTimes });
    const given = {
      first_lockout_ms: 1,
      longest_lockout_ms: 2,
      quiet_ms: 86_400_000,
      known_pin_pause_ms: 4,
      forget_ms: 5,
    };
    expect(parseKeyEntryTimes(given)).toEqual({ ok: true, value: given });
    expect(parseKeyEntryTimes({ forget_ms: 20_000 })).toEqual({
      ok: true,
      value: { ...defaultKeyEntryTimes, forget_ms: 20_000 },
    });
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 86_400_001, '3000', null])(
    'requires whole milliseconds up to one day, not %s',
    value => {
      for (const key of Object.keys(defaultKeyEntryTimes))
        expect(problemsOf({ [key]: value }, 'key_entry')).toEqual([`key_entry.${key} invalid_duration`]);
    },
  );

  it('requires times that fit together, defaults included, and accepts equal ones', () => {
    expect(problemsOf({ first_lockout_ms: 900_000, forget_ms: 3_000 })).toEqual([]);
    expect(problemsOf({ first_lockout_ms: 900_001 })).toEqual(['longest_lockout_ms invalid_duration']);
    expect(problemsOf({ forget_ms: 2_999 })).toEqual(['forget_ms invalid_duration']);
  });

  it.each([undefined, null, [], 3_000, 'soon'])('requires an object, not %j', input => {
    expect(problemsOf(input)).toEqual([' invalid_type']);
  });

  it('rejects an unknown field', () => {
    expect(problemsOf({ lockout_ms: 5 })).toEqual(['lockout_ms unknown_field']);
  });
});
