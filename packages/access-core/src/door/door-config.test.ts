import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDoorConfig } from './door-config.ts';

const problemsOf = (input: unknown, path?: string): string[] => {
  const parsed = parseDoorConfig(input, path);
  return parsed.ok ? [] : parsed.problems.map(({ path: where, code }) => `${where} ${code}`);
};

describe('parseDoorConfig', () => {
  it('accepts an empty configuration: five seconds of strike time and nothing else', () => {
    expect(parseDoorConfig({})).toEqual({
      ok: true,
      value: {
        strike_ms: 5_000,
        relock_on: 'time',
        contact: false,
        exit_button: false,
        held_open_ms: null,
        pre_alarm_ms: 0,
        forced_alarm: false,
        forced_grace_ms: 2_000,
        interlock_group: null,
        egress_ignores_interlock: true,
      },
    });
  });

  it('enables the forced-open alarm when a contact is fitted', () => {
    const parsed = parseDoorConfig({ contact: true });
    expect(parsed.ok && parsed.value.forced_alarm).toBe(true);
  });

  it('requires a contact for every feature that depends on one', () => {
    expect(problemsOf({ relock_on: 'close', held_open_ms: 30_000, forced_alarm: true })).toEqual([
      'relock_on needs_contact',
      'held_open_ms needs_contact',
      'forced_alarm needs_contact',
    ]);
  });

  it('requires the warning to precede a held-open alarm', () => {
    const held = { contact: true, held_open_ms: 30_000 };
    expect(problemsOf({ ...held, pre_alarm_ms: 29_999 })).toEqual([]);
    expect(problemsOf({ ...held, pre_alarm_ms: 30_000 })).toEqual(['pre_alarm_ms invalid_duration']);
    expect(problemsOf({ contact: true, pre_alarm_ms: 1 })).toEqual(['pre_alarm_ms invalid_duration']);
  });

  it('rejects invalid fields, each with its path', () => {
    const input = { strike_ms: Number.NaN, relock_on: 'never', contact: 1, interlock_group: '', colour: 'red' };
    expect(problemsOf(input, 'gadgets.0.door')).toEqual([
      'gadgets.0.door.colour unknown_field',
      'gadgets.0.door.contact invalid_type',
      'gadgets.0.door.strike_ms invalid_duration',
      'gadgets.0.door.relock_on invalid_choice',
      'gadgets.0.door.interlock_group invalid_name',
    ]);
  });

  it('limits the strike time to five minutes', () => {
    expect(problemsOf({ strike_ms: 300_000 })).toEqual([]);
    expect(problemsOf({ strike_ms: 300_001 })).toEqual(['strike_ms invalid_duration']);
  });

  it('ignores inherited properties of the input', () => {
    expect(parseDoorConfig(Object.create({ contact: 'yes' }))).toEqual(parseDoorConfig({}));
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), input => {
        const parsed = parseDoorConfig(input);
        expect(parsed.ok || parsed.problems.length > 0).toBe(true);
      }),
    );
  });
});
