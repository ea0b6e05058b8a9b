import { describe, expect, it } from 'vitest';
import { describePhoneOpeningFailure } from './simulated-bluetooth-phone.ts';

describe('describePhoneOpeningFailure', () => {
  it('says why a door did not open', () => {
    expect(describePhoneOpeningFailure('granted', 2)).toBeNull();
    expect(describePhoneOpeningFailure('denied', 2)).toContain('denied access');
    for (const [distance, rssi] of [
      [0, -20],
      [1, -50],
      [2, -59],
      [10, -80],
      [15, -85],
    ] as const)
      expect(describePhoneOpeningFailure('too_far', distance)).toContain(`the signal at ${distance} m is ${rssi} dBm`);
    expect(describePhoneOpeningFailure('malformed', 2)).toBe('The exchange failed: malformed');
  });
});
