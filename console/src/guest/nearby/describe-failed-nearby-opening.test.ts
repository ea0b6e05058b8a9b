import { describe, expect, it } from 'vitest';
import { selectGuestLanguage } from '../messages/language.ts';
import { describeNearbyError, describeNearbyOpeningResult } from './describe-failed-nearby-opening.ts';
import { PhoneEnrollmentError } from './guest-bluetooth-phone.ts';

const english = selectGuestLanguage(['en']);

describe('texts of nearby doors', () => {
  it('explain the result of a controller', () => {
    expect(describeNearbyOpeningResult(english, 'too_slow')).toContain('too slow');
    expect(describeNearbyOpeningResult(english, 'rate_limited')).toContain('Too many attempts');
    expect(describeNearbyOpeningResult(english, 'door_fault')).toContain('does not respond');
    expect(describeNearbyOpeningResult(selectGuestLanguage(['de']), 'denied')).toContain('verweigert');
  });

  it('explain an exception of Web Bluetooth', () => {
    const thrown = (name: string) => describeNearbyError(english, new DOMException('', name));
    expect(thrown('NotFoundError')).toContain('No door was chosen');
    expect(thrown('SecurityError')).toContain('Allow this page to use Bluetooth');
    expect(thrown('NetworkError')).toContain('connection to the door was lost');
  });

  it('explain why a phone cannot be set up', () => {
    const rejected = (args: Record<string, string>) =>
      describeNearbyError(english, new PhoneEnrollmentError({ kind: 'rejected', type: 'invalid_request', args }));
    expect(rejected({ field: 'public_key' })).toContain('too many phones');
    expect(rejected({})).toContain('went wrong');
    expect(describeNearbyError(english, new PhoneEnrollmentError({ kind: 'offline' }))).toContain('No connection');
  });
});
