import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from './parse-csv.ts';

const cellsOf = (content: string) => parseCsv(content).rows.map(({ cells }) => cells);

describe('parseCsv', () => {
  it('reads quotes, line breaks in cells and line ends of Windows, and counts lines', () => {
    expect(parseCsv('name,note\r\n"Ann, ""A""","two\nlines"\r\n\r\nBen,\r\n')).toEqual({
      rows: [
        { line: 1, cells: ['name', 'note'] },
        { line: 2, cells: ['Ann, "A"', 'two\nlines'] },
        { line: 5, cells: ['Ben', ''] },
      ],
      error: null,
    });
  });

  it('reads semicolons, a byte order mark and a last line without an end', () => {
    expect(cellsOf('\uFEFFname;group\nAnn;Staff')).toEqual([
      ['name', 'group'],
      ['Ann', 'Staff'],
    ]);
    expect(cellsOf('name,\nAnn,').map(cells => cells[0])).toEqual(['name', 'Ann']);
    expect(parseCsv('')).toEqual({ rows: [], error: null });
  });

  it('reads tabs, and a separator inside a quoted column name', () => {
    expect(cellsOf('name\temail\nAnn\ta@x.test;b@x.test')[1]).toEqual(['Ann', 'a@x.test;b@x.test']);
    expect(cellsOf('name, note\nAnn, "a, b" \n')[1]).toEqual(['Ann', 'a, b']);
    expect(cellsOf('"name; surname; title",email\nAnn,a@x.test')[1]).toEqual(['Ann', 'a@x.test']);
  });

  it('reads a lone carriage return as the end of a line', () => {
    expect(parseCsv('name,email\nAnn,a@x.test\nBen\rX,b@x.test\nCleo,c@x.test')).toEqual({
      rows: [
        { line: 1, cells: ['name', 'email'] },
        { line: 2, cells: ['Ann', 'a@x.test'] },
        { line: 3, cells: ['Ben'] },
        { line: 4, cells: ['X', 'b@x.test'] },
        { line: 5, cells: ['Cleo', 'c@x.test'] },
      ],
      error: null,
    });
  });

  it.each([
    ['name\nAnn\n"Ben" X\nCleo', 3, 'quote'],
    ['name\n "Ben" X\nCleo', 2, 'quote'],
    ['name,note\n"two\nlines",\n"Ben,\nCleo,', 4, 'quote'],
    ['name\nAnn\nJos\uFFFD\nCleo', 3, 'encoding'],
    ['n\0a\0', 1, 'encoding'],
  ])('names the line of %j that cannot be read', (content, line, problem) => {
    expect(parseCsv(content).error).toEqual({ line, problem });
  });

  it('reads back any table, with any separator and line end', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ä', ' ', ',', ';', '\t', '"', '\r', '\n') });
    const table = fc.array(fc.tuple(fc.constantFrom('x', 'y'), cell), { minLength: 1 });
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t'),
        fc.constantFrom('\r\n', '\r', '\n'),
        (rows, separator, end) => {
          const header = [`name${separator}note`];
          const lines = rows.map(cells => cells.map(text => `"${text.replaceAll('"', '""')}"`).join(separator));
          expect(cellsOf([...header, ...lines].join(end))).toEqual([['name', 'note'], ...rows]);
        },
      ),
    );
  });

  it('loses no line of any text without quotes', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', ',', '\r', '\n', ';') });
    fc.assert(
      fc.property(text, content => {
        const { rows, error } = parseCsv(content);
        const given = content.replaceAll(/[^a]/g, '');
        expect([
          error,
          rows
            .flatMap(({ cells }) => cells)
            .join('')
            .replaceAll(/[^a]/g, ''),
        ]).toEqual([null, given]);
      }),
    );
  });
});
