import { describe, expect, it } from 'vitest';
import { adminMessages } from '../messages/en.ts';
import { describeDevicePower } from './describe-device-power.ts';

describe('describeDevicePower', () => {
  it.each([
    [{}, null],
    [{ mains_present: true }, 'Mains power'],
    [{ mains_present: false, battery_present: true, battery_percent: 84.6 }, 'No mains power, battery at 85 %'],
    [{ battery_present: true, battery_percent: 40, battery_charging: true }, 'Battery at 40 %, charging'],
    [{ mains_present: true, battery_present: false }, 'Mains power, no battery'],
  ])('describes %j', (power, text) => {
    expect(describeDevicePower({ online: true, ...power }, adminMessages)).toBe(text);
  });
});
