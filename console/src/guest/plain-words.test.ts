import { describe, expect, it } from 'vitest';
import { languageOf } from './language.ts';
import { whenWords } from './when.ts';
import { failureWords, reasonWords } from './why-not.ts';

const english = languageOf(['en-GB']);
const now = '2026-06-01T10:00:00.000Z';
const madrid = 'Europe/Madrid';

describe('guest page texts', () => {
  it('use the first supported language, and English by default', () => {
    expect(languageOf([null, 'fr', 'es-MX', 'de']).tag).toBe('es-MX');
    expect(languageOf(['DE-at']).words.open).toBe('Öffnen');
    expect(languageOf(['fr', 'constructor']).words.open).toBe('Open');
  });

  it('show a time in the time zone of the site', () => {
    const at = (text: string) => whenWords(english, { at: text, now, timeZone: madrid });
    expect(at('2026-06-01T13:00:00.000Z')).toBe('today at 15:00');
    expect(at('2026-06-01T21:59:00.000Z')).toBe('today at 23:59');
    expect(at('2026-06-01T22:00:00.000Z')).toBe('tomorrow at 00:00');
    expect(at('2026-06-12T13:30:00.000Z')).toBe('on Friday 12 June at 15:30');
  });

  it('count calendar days, also across a clock change', () => {
    const before = { now: '2026-10-24T21:30:00.000Z', timeZone: madrid };
    expect(whenWords(english, { ...before, at: '2026-10-25T22:30:00.000Z' })).toBe('tomorrow at 23:30');
    expect(whenWords(english, { ...before, at: '2026-10-25T23:30:00.000Z' })).toMatch(/^on Monday 26 October at 00:30/);
  });

  it('use the time zone of the phone when the zone of the site is unknown', () => {
    expect(whenWords(english, { at: now, now, timeZone: 'Europe/Atlantis' })).toMatch(/^today at \d\d:\d\d$/);
  });

  it('exist in each language', () => {
    const moment = { at: '2026-06-12T13:30:00.000Z', now, timeZone: madrid };
    expect(whenWords(languageOf(['es']), moment)).toBe('el viernes, 12 de junio a las 15:30');
    expect(whenWords(languageOf(['de']), moment)).toBe('am Freitag, 12. Juni um 15:30');
  });

  it('explain why a door stays closed, and until when', () => {
    const soon = 'tomorrow at 07:00';
    expect(reasonWords(english, 'member_not_started', soon)).toBe('Too early. It opens for you tomorrow at 07:00.');
    expect(reasonWords(english, 'out_of_schedule', soon)).toContain('again tomorrow at 07:00');
    expect(reasonWords(english, 'out_of_schedule', null)).toBe('Closed at this hour.');
    expect(reasonWords(english, 'not_present', null)).toContain('too far away');
    expect(reasonWords(english, 'method_not_allowed', null)).toContain('Use your PIN or card');
    expect(reasonWords(english, 'no_group', null)).toBe('You have no access to it at the moment.');
    expect(reasonWords(english, 'no_group', soon)).toContain(soon);
    expect(reasonWords(english, 'a_reason_of_tomorrow', null)).toBe('You have no access to it at the moment.');
  });

  it('explain a failed request', () => {
    const refused = (type: string, args: Record<string, string> = {}) =>
      failureWords(english, { kind: 'refused', type, args });
    expect(failureWords(english, { kind: 'offline' })).toContain('No connection');
    expect(refused('permission_denied', { reason: 'member_ended' })).toBe('Your access has ended.');
    expect(refused('hardware_offline')).toContain('does not answer');
    expect(refused('rate_limited', { retry_after: '5' })).toContain('Too many tries');
    expect(refused('invalid_request', { field: 'code', reason: 'wrong_code' })).toContain('not the code');
    expect(refused('invalid_request', { field: 'code', reason: 'code_expired' })).toContain('new one');
    expect(refused('invalid_request', { field: 'email' })).toContain('not an e-mail address');
    expect(refused('internal')).toContain('went wrong');
  });
});
