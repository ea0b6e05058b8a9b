import { describe, expect, it } from 'vitest';
import { selectGuestLanguage } from '../messages/language.ts';
import { describeNearbyError, describeOpeningResult } from './describe-nearby.ts';
import { PhoneEnrollmentError } from './nearby-doors.ts';

const english = selectGuestLanguage(['en']);

describe('texts of nearby doors', () => {
  it('explain the result of a controller', () => {
    expect(describeOpeningResult(english, 'too_slow')).toContain('too slow');
    expect(describeOpeningResult(english, 'rate_limited')).toContain('Too many attempts');
    expect(describeOpeningResult(english, 'door_fault')).toContain('does not respond');
    expect(describeOpeningResult(selectGuestLanguage(['de']), 'denied')).toContain('verweigert');
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
