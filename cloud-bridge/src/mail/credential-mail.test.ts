import { describe, expect, it } from 'vitest';
import { type CredentialMailContent, composeCredentialMail } from './credential-mail.ts';
import { withoutLinks } from './without-links.ts';

const mail: CredentialMailContent = {
  to: 'ann@example.test',
  language: 'en-US',
  memberName: 'Ann',
  organizationName: 'Hotel Demo',
  pins: ['482913'],
  links: [],
  doors: ['Front door', 'Room 101'],
  startsAt: Date.parse('2026-11-18T14:00:00Z'),
  endsAt: Date.parse('2026-11-20T10:00:00Z'),
  timeZone: 'Europe/Madrid',
};

describe('composeCredentialMail', () => {
  it('contains the PIN, the doors and the dates in the time zone of the doors', () => {
    expect(composeCredentialMail(mail)).toEqual({
      to: 'ann@example.test',
      subject: 'Your access to Hotel Demo',
      text: [
        'Hello Ann,',
        '',
        'This is your access to Hotel Demo.',
        '',
        'Your PIN. Type it at the keypad of the door:',
        '',
        '    482913',
        '',
        'Doors: Front door and Room 101',
        'Valid from: Wednesday, 18 November 2026 at 15:00 (Europe/Madrid)',
        'Valid until: Friday, 20 November 2026 at 11:00 (Europe/Madrid)',
        '',
        'Do not forward this message. It opens doors.',
        '',
      ].join('\n'),
    });
  });

  it('is written in the language of the member, and in English if the language is unknown', () => {
    const link = { pins: [], links: ['https://doors.example/g/1'], startsAt: null, endsAt: null, doors: [] };
    expect(composeCredentialMail({ ...mail, ...link, language: 'de' }).text).toContain('Ihr Link. Öffnen Sie ihn');
    expect(composeCredentialMail({ ...mail, ...link, language: 'es-MX' }).subject).toBe('Tu acceso a Hotel Demo');
    expect(composeCredentialMail({ ...mail, ...link, language: 'fr' }).subject).toBe('Your access to Hotel Demo');
    expect(composeCredentialMail({ ...mail, ...link, language: null }).text).not.toContain('Valid');
  });
});

describe('withoutLinks', () => {
  it.each([
    ['Hotel St. Anna', 'Hotel St. Anna'],
    ['Win at https://evil.example/claim now', 'Win at evil·example/claim now'],
    ['www.evil.example', 'www·evil·example'],
    ['mail me@evil.example\nhttp:////evil.example', 'mail me evil·example evil·example'],
    ['evil\u3002example', 'evil·example'],
    ['x'.repeat(200), 'x'.repeat(100)],
  ])('%j becomes %j', (name, text) => {
    expect(withoutLinks(name)).toBe(text);
  });
});
