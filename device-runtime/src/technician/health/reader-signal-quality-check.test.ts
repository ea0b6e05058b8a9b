import { describe, expect, it } from 'vitest';
import type { CardReadingStatistics, ReaderSignalQuality } from '@lintel/drivers/interfaces';
import { checkReaderSignal } from './reader-signal-quality-check.ts';

const heard = (clean: number, broken: number, changes: Partial<CardReadingStatistics> = {}): CardReadingStatistics => ({
  clean,
  broken,
  worst: broken === 0 ? null : 'damaged',
  over_ms: 900_000,
  clean_in_a_row: 0,
  broken_ago_ms: broken === 0 ? null : 0,
  ...changes,
});
const rs485 = (line: CardReadingStatistics): ReaderSignalQuality => ({ link: 'rs485', line, cards: null });

describe('reader signal health', () => {
  it('is red below 90 % clean readings, yellow below 98 %, otherwise green', () => {
    const states = [89, 90, 97, 98].map(clean => checkReaderSignal(rs485(heard(clean * 10, (100 - clean) * 10))).state);
    expect(states).toEqual(['fail', 'warn', 'warn', 'ok']);
  });

  it('states the number of readings, and when there are too few', () => {
    expect(checkReaderSignal(rs485(heard(5, 2)))).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('5 of 7 messages were intact, too few for a result'),
    });
  });

  it('is unknown without a reading', () => {
    expect(checkReaderSignal(rs485(heard(0, 0)))).toMatchObject({
      state: 'unknown',
      found: expect.stringContaining('no messages'),
    });
    const withoutCards: ReaderSignalQuality = { link: 'serial', line: heard(100, 0), cards: heard(0, 0) };
    expect(checkReaderSignal(withoutCards)).toMatchObject({
      state: 'unknown',
      found: expect.stringContaining('no card was presented'),
    });
  });

  it('does not dismiss three damaged readings of few as chance', () => {
    expect(checkReaderSignal(rs485(heard(2, 3))).state).toBe('fail');
  });

  it('shows 100 % only if every reading was clean', () => {
    expect(checkReaderSignal(rs485(heard(99_999, 1))).found).toContain('99.9 %');
    expect(checkReaderSignal(rs485(heard(100_000, 0))).found).toContain('100 %');
  });

  it('is green one minute after a repair, even if the last 15 minutes were bad', () => {
    const repaired = (clean_in_a_row: number, broken_ago_ms: number) =>
      checkReaderSignal(rs485(heard(100, 100, { clean_in_a_row, broken_ago_ms }))).state;
    expect(repaired(20, 60_000)).toBe('ok');
    expect([repaired(19, 60_000), repaired(20, 59_999)]).toEqual(['fail', 'fail']);
  });

  it.each<[ReaderSignalQuality['link'], RegExp]>([
    ['rs485', /120 Ω.*A and B.*ground.*1,200 m/],
    ['serial', /baud rate.*ground.*2 m/],
    ['wiegand', /shield.*ground.*150 m/],
  ])('recommends checking the cable of %s', (link, words) => {
    expect(checkReaderSignal({ link, line: heard(10, 10), cards: null }).advice).toMatch(words);
  });

  it('recommends checking the field when cards break off, and both when both fail', () => {
    const weak = heard(10, 10, { worst: 'lost' });
    const field = checkReaderSignal({ link: 'serial', line: heard(1_000, 0), cards: weak });
    expect(field).toMatchObject({ state: 'fail', found: expect.stringContaining('10 of 20 cards were read (50 %)') });
    expect(field.advice).toMatch(/metal.*beeps.*antenna/);
    expect(field.advice).not.toMatch(/baud/);
    expect(checkReaderSignal({ link: 'usb', line: null, cards: weak }).advice).toMatch(/metal.*supply/);
    const both = checkReaderSignal({ link: 'serial', line: heard(95, 5), cards: weak });
    expect(both).toMatchObject({ state: 'fail', advice: expect.stringMatching(/baud rate.*metal/) });
  });
});
