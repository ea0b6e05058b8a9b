import { describe, expect, it } from 'vitest';
import { parseValidCardStockCsv } from './card-stock-csv.ts';

const first = { printed_code: 'A-1', uid: '04a1b2c3', name: '', line: 2 };

describe('parseValidCardStockCsv', () => {
  it('reads columns in any order, with commas or semicolons, quotes and line ends of Windows', () => {
    expect(parseValidCardStockCsv('printed_code,uid\nA-1,04A1B2C3\n\n')).toEqual([first]);
    expect(parseValidCardStockCsv('\uFEFFuid;printed_code;name\r\n04a1b2c3;"A-1";"Red; ""big"""\r\n')).toEqual([
      { ...first, name: 'Red; "big"' },
    ]);
  });

  it.each([
    ['code,uid\n', 'Line 1: the first line must name the columns printed_code and uid'],
    ['printed_code,uid\nA-1\n', 'Line 2: expected 2 fields'],
    ['printed_code,uid\nA-1,04a1b2c3\n\nA-2,xyz\n', 'Line 4: uid'],
    ['printed_code,uid\n,04a1b2c3\n', 'Line 2: printed_code'],
    ['printed_code,uid\nA-1,08a1b2c3\n', 'Line 2: uid is random'],
    ['printed_code,uid,color\nA-1,04a1b2c3,red\n', 'Line 2:'],
  ])('names the line of an error in %j', (csv, message) => {
    expect(() => parseValidCardStockCsv(csv)).toThrow(message);
  });
});
