import { DAY_MS } from './durations.ts';
import { FieldReader } from './untrusted-field-reader.ts';
import { defaultKeyEntryTimes, type KeyEntryTimes } from './key-entry-types.ts';
import type { Result } from './result.ts';

/** Parses the times of a hardware profile; applies defaults and checks that the times are consistent. */
export const parseKeyEntryTimes = (input: unknown, path = ''): Result<KeyEntryTimes> => {
  const fields = new FieldReader(input, path, Object.keys(defaultKeyEntryTimes));
  const time = (key: keyof KeyEntryTimes): number => fields.milliseconds(key, 1, DAY_MS, defaultKeyEntryTimes[key]);
  const times: KeyEntryTimes = {
    first_lockout_ms: time('first_lockout_ms'),
    longest_lockout_ms: time('longest_lockout_ms'),
    quiet_ms: time('quiet_ms'),
    known_pin_pause_ms: time('known_pin_pause_ms'),
    forget_ms: time('forget_ms'),
  };
  const refuseShorter = (key: keyof KeyEntryTimes, than: keyof KeyEntryTimes): void => {
    if (times[key] < times[than])
      fields.refuse(key, 'invalid_duration', `must not be shorter than ${than}, which is ${times[than]}`);
  };
  if (fields.problems.count === 0) {
    refuseShorter('longest_lockout_ms', 'first_lockout_ms');
    refuseShorter('forget_ms', 'known_pin_pause_ms');
  }
  return fields.problems.resultOf(times);
};
