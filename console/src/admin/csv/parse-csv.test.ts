import { describe, expect, it } from 'vitest';
import { parseCsv } from './parse-csv.ts';

describe('parseCsv', () => {
  it('reads quotes, line breaks in cells and line ends of Windows, and counts lines', () => {
    expect(parseCsv('name,note\r\n"Ann, ""A""","two\nlines"\r\n\r\nBen,\r\n')).toEqual([
      { line: 1, cells: ['name', 'note'] },
      { line: 2, cells: ['Ann, "A"', 'two\nlines'] },
      { line: 5, cells: ['Ben', ''] },
    ]);
  });

  it('reads semicolons, a byte order mark and a last line without an end', () => {
    expect(parseCsv('\uFEFFname;group\nAnn;Staff').map(({ cells }) => cells)).toEqual([
      ['name', 'group'],
      ['Ann', 'Staff'],
    ]);
    expect(parseCsv('name,\nAnn,').map(({ cells }) => cells[0])).toEqual(['name', 'Ann']);
    expect(parseCsv('')).toEqual([]);
  });
});
