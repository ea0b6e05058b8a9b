import { describe, expect, it } from 'vitest';
import { selectGuestLanguage } from './language.ts';
import { formatRelativeDayAndTime } from './format-time.ts';
import { describeGuestApiError, describeGuestDenial } from './describe-denial-and-api-error.ts';

const english = selectGuestLanguage(['en-GB']);
const now = '2026-06-01T10:00:00.000Z';
const madrid = 'Europe/Madrid';

describe('guest page texts', () => {
  it('use the first supported language, and English by default', () => {
    expect(selectGuestLanguage([null, 'fr', 'es-MX', 'de']).tag).toBe('es-MX');
    expect(selectGuestLanguage(['DE-at']).messages.open).toBe('Öffnen');
    expect(selectGuestLanguage(['fr', 'constructor']).messages.open).toBe('Open');
  });

  it('show a time in the time zone of the site', () => {
    const at = (text: string) => formatRelativeDayAndTime(english, { at: text, now, timeZone: madrid });
    expect(at('2026-06-01T13:00:00.000Z')).toBe('today at 15:00');
    expect(at('2026-06-01T21:59:00.000Z')).toBe('today at 23:59');
    expect(at('2026-06-01T22:00:00.000Z')).toBe('tomorrow at 00:00');
    expect(at('2026-06-12T13:30:00.000Z')).toBe('on Friday 12 June at 15:30');
  });

  it('count calendar days, also across a clock change', () => {
    const before = { now: '2026-10-24T21:30:00.000Z', timeZone: madrid };
    expect(formatRelativeDayAndTime(english, { ...before, at: '2026-10-25T22:30:00.000Z' })).toBe('tomorrow at 23:30');
    expect(formatRelativeDayAndTime(english, { ...before, at: '2026-10-25T23:30:00.000Z' })).toMatch(
      /^on Monday 26 October at 00:30/,
    );
  });

  it('use UTC when the browser does not know the time zone of the site', () => {
    expect(formatRelativeDayAndTime(english, { at: now, now, timeZone: 'Europe/Atlantis' })).toBe('today at 10:00 UTC');
  });

  it('exist in each language', () => {
    const moment = { at: '2026-06-12T13:30:00.000Z', now, timeZone: madrid };
    expect(formatRelativeDayAndTime(selectGuestLanguage(['es']), moment)).toBe('el viernes, 12 de junio a las 15:30');
    expect(formatRelativeDayAndTime(selectGuestLanguage(['de']), moment)).toBe('am Freitag, 12. Juni um 15:30');
  });

  it('explain why access is denied, and until when', () => {
    const soon = 'tomorrow at 07:00';
    expect(describeGuestDenial(english, 'member_not_started', soon)).toBe(
      'Too early. Your access starts tomorrow at 07:00.',
    );
    expect(describeGuestDenial(english, 'out_of_schedule', soon)).toContain('again tomorrow at 07:00');
    expect(describeGuestDenial(english, 'out_of_schedule', null)).toBe('Closed now.');
    expect(describeGuestDenial(english, 'not_present', null)).toContain('too far away');
    expect(describeGuestDenial(english, 'method_not_allowed', null)).toContain('Use your PIN or card');
    expect(describeGuestDenial(english, 'no_group', null)).toBe('You have no access right now.');
    expect(describeGuestDenial(english, 'no_group', soon)).toContain(soon);
    expect(describeGuestDenial(english, 'unknown_reason', null)).toBe('You have no access right now.');
  });

  it('explain a failed request', () => {
    const rejected = (type: string, args: Record<string, string> = {}) =>
      describeGuestApiError(english, { kind: 'rejected', type, args });
    expect(describeGuestApiError(english, { kind: 'offline' })).toContain('No connection');
    expect(rejected('permission_denied', { reason: 'member_ended' })).toBe('Your access has ended.');
    expect(rejected('hardware_offline')).toContain('does not respond');
    expect(rejected('rate_limited', { retry_after: '5' })).toContain('Too many attempts');
    expect(rejected('invalid_request', { field: 'code', reason: 'wrong_code' })).toContain('Wrong code');
    expect(rejected('invalid_request', { field: 'code', reason: 'code_expired' })).toContain('new code');
    expect(rejected('invalid_request', { field: 'email' })).toContain('not a valid email address');
    expect(rejected('internal')).toContain('went wrong');
  });
});
