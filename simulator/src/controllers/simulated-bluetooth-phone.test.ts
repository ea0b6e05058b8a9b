import { describe, expect, it } from 'vitest';
import { describePhoneOpeningFailure, estimateRssi } from './simulated-bluetooth-phone.ts';

describe('estimateRssi', () => {
  it('is about -50 dBm at one meter and -80 dBm at ten', () => {
    expect([0, 1, 2, 6, 7, 10, 15].map(estimateRssi)).toEqual([-20, -50, -59, -73, -75, -80, -85]);
  });
});

describe('describePhoneOpeningFailure', () => {
  it('says why a door did not open', () => {
    expect(describePhoneOpeningFailure('granted', 2)).toBeNull();
    expect(describePhoneOpeningFailure('denied', 2)).toContain('denied access');
    expect(describePhoneOpeningFailure('too_far', 10)).toContain('the signal at 10 m is -80 dBm');
    expect(describePhoneOpeningFailure('malformed', 2)).toBe('The exchange failed: malformed');
  });
});
