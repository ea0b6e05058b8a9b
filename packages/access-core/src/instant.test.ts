import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatInstant, instant, parseInstant } from './instant.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');
const anyInstant = fc.integer({ min: earliest, max: latest });
const read = (text: unknown): number | null => {
  const result = parseInstant(text);
  return result.ok ? result.value : null;
};
const two = (value: number): string => String(value).padStart(2, '0');

describe('instant', () => {
  it('is formatted with milliseconds and Z, and parsed back unchanged', () => {
    expect(formatInstant(instant(0))).toBe('1970-01-01T00:00:00.000Z');
    fc.assert(fc.property(anyInstant, at => read(formatInstant(instant(at))) === at));
  });

  it('is parsed with any UTC offset', () => {
    expect(read('2026-03-29T12:00:00+02:00')).toBe(Date.parse('2026-03-29T10:00:00Z'));
    expect(read('2026-03-29T12:00:00-00:00')).toBe(Date.parse('2026-03-29T12:00:00Z'));
    expect(read('2026-01-01T00:30:00+05:45')).toBe(Date.parse('2025-12-31T18:45:00Z'));
    fc.assert(
      fc.property(anyInstant, fc.integer({ min: -1439, max: 1439 }), (at, minutes) => {
        const sign = minutes < 0 ? '-' : '+';
        const zone = `${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
        const there = at + minutes * 60_000;
        fc.pre(there >= earliest && there <= latest);
        expect(read(formatInstant(instant(there)).replace('Z', zone))).toBe(at);
      }),
    );
  });

  it('truncates digits beyond the millisecond and fills in missing ones', () => {
    expect(read('1970-01-01T00:00:00.9999Z')).toBe(999);
    expect(read('1970-01-01T00:00:00.000999999Z')).toBe(0);
    expect(read('1970-01-01T00:00:00.5Z')).toBe(500);
    expect(read('1969-12-31T23:59:59.999999Z')).toBe(-1);
    expect(read('1970-01-01t00:00:00,25z')).toBe(250);
  });

  it.each([
    ['2024-02-29', true],
    ['2023-02-29', false],
    ['2000-02-29', true],
    ['1900-02-29', false],
    ['2100-02-29', false],
    ['0000-02-29', true],
    ['2026-04-31', false],
    ['2026-12-31', true],
    ['2026-13-01', false],
    ['2026-00-01', false],
    ['2026-01-00', false],
  ])('recognizes whether %s is a valid date: %s', (date, exists) => {
    expect(parseInstant(`${date}T00:00:00Z`).ok).toBe(exists);
  });

  it.each([
    '2026-06-30T23:59:60Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+0100',
    '26-01-01T00:00:00Z',
    '+002026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '٢٠٢٦-01-01T00:00:00Z',
    '',
    'now',
  ])('rejects %j', text => {
    expect(read(text)).toBeNull();
  });

  it('is limited to four-digit years', () => {
    expect(read('9999-12-31T23:59:59.999Z')).toBe(latest);
    expect(read('9999-12-31T23:59:59.999-00:01')).toBeNull();
    expect(read('0000-01-01T00:00:00Z')).toBe(earliest);
    expect(read('0000-01-01T00:00:00+00:01')).toBeNull();
    expect(read('0099-01-01T00:00:00Z')).toBe(Date.parse('0099-01-01T00:00:00Z'));
  });

  it('rejects values that are not strings, and names the field', () => {
    for (const value of [null, undefined, 0, Number.NaN, new Date(0), {}, ['2026-01-01T00:00:00Z']]) {
      expect(parseInstant(value, 'starts_at')).toMatchObject({
        ok: false,
        problems: [{ path: 'starts_at', code: 'invalid_time' }],
      });
    }
  });

  it('agrees with Date on every mutated timestamp that it accepts', () => {
    const piece = fc.constantFrom('-', ':', '.', 'T', 'Z', '+', '0', '1', '2', '3', '5', '9', ' ', '');
    fc.assert(
      fc.property(anyInstant, fc.nat(30), piece, fc.nat(2), (at, position, inserted, removed) => {
        const whole = formatInstant(instant(at));
        const text = whole.slice(0, position) + inserted + whole.slice(position + removed);
        expect([null, Date.parse(text)]).toContain(read(text));
      }),
      { numRuns: iterations({ sample: 300, all: 3_000 }) },
    );
  });
});
