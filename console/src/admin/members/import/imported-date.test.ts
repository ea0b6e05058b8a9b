import { describe, expect, it } from 'vitest';
import { dateOrderOf, findDateOrder, parseImportedDate } from './imported-date.ts';

const context = { zone: 'Europe/Madrid', order: 'day-first', hour: 11 } as const;

describe('parseImportedDate', () => {
  it.each([
    ['2026-11-25', '2026-11-25T10:00:00.000Z'],
    ['25.11.2026', '2026-11-25T10:00:00.000Z'],
    ['5.6.2026', '2026-06-05T09:00:00.000Z'],
    ['25.11.26', '2026-11-25T10:00:00.000Z'],
    ['25/11/2026', '2026-11-25T10:00:00.000Z'],
    ['25-11-2026', '2026-11-25T10:00:00.000Z'],
    ['2026/11/25', '2026-11-25T10:00:00.000Z'],
    ['25.11.2026 15:00', '2026-11-25T14:00:00.000Z'],
    ['25.11.2026 15:00:00', '2026-11-25T14:00:00.000Z'],
    ['25.11.2026, 15:30 Uhr', '2026-11-25T14:30:00.000Z'],
    ['25/11/2026 3:00 PM', '2026-11-25T14:00:00.000Z'],
    ['25/11/2026 12:00 a. m.', '2026-11-24T23:00:00.000Z'],
    ['2026-11-25T15:00', '2026-11-25T14:00:00.000Z'],
    ['2026-11-25T15:00:07.500Z', '2026-11-25T15:00:07.500Z'],
    ['2026-11-25 15:00+02:00', '2026-11-25T13:00:00.000Z'],
  ])('reads %s', (text, iso) => {
    expect(parseImportedDate(text, context)).toBe(iso);
  });

  it('reads the month first where the file is written so, but not with points', () => {
    const american = { ...context, order: 'month-first' } as const;
    expect(parseImportedDate('11/25/2026', american)).toBe('2026-11-25T10:00:00.000Z');
    expect(parseImportedDate('03/04/2026', american)).toBe('2026-03-04T10:00:00.000Z');
    expect(parseImportedDate('03.04.2026', american)).toBe('2026-04-03T09:00:00.000Z');
  });

  it.each([
    'soon',
    '11/25/2026',
    '31.02.2026',
    '25.13.2026',
    '2026-11-25 24:00',
    '25.11.2026 13 PM',
    '45987',
    '25.11/2026',
  ])('rejects %s', text => {
    expect(parseImportedDate(text, context)).toBeUndefined();
  });

  it('reads an empty text as no date', () => {
    expect(parseImportedDate(' ', context)).toBeNull();
  });
});

describe('findDateOrder', () => {
  it('finds the order from a date that has only one reading', () => {
    expect(findDateOrder(['03/04/2026', '25/11/2026'])).toBe('day-first');
    expect(findDateOrder(['03/04/2026', '11/25/2026 15:00'])).toBe('month-first');
  });

  it('says that dates are ambiguous', () => {
    expect(findDateOrder(['03/04/2026', '2026-11-25'])).toBe('unknown');
    expect(findDateOrder(['03.04.2026', '2026-11-25', '05/05/2026', 'soon'])).toBeNull();
  });
});

describe('dateOrderOf', () => {
  it('is that of the region', () => {
    expect(['en-US', 'en-GB', 'de-DE', 'es-ES'].map(dateOrderOf)).toEqual([
      'month-first',
      'day-first',
      'day-first',
      'day-first',
    ]);
  });
});
