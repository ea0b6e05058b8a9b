import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../csv/parse-csv.ts';
import { findOrderOfRows, guessMemberImportColumns, isProblem, planMemberImport } from './import-plan.ts';

const context = { groups: [{ id: 'mg_1', name: 'Room 101' }], zone: 'Europe/Madrid', order: 'day-first' } as const;
const plan = (csv: string) => {
  const [header, ...rows] = parseCsv(csv).rows;
  return planMemberImport(rows, guessMemberImportColumns(header!.cells), context);
};

describe('guessMemberImportColumns', () => {
  it('finds the usual names in several languages, and those of the export', () => {
    const exported = ['id', 'name', 'starts_at', 'ends_at', 'emails', 'groups', 'tags'];
    const expected = { name: 1, starts_at: 2, ends_at: 3, email: 4, groups: 5, pin: null };
    expect(guessMemberImportColumns(exported)).toEqual(expected);
    expect(guessMemberImportColumns(['PIN', 'Name', 'Anreise', 'Abreise', 'E-Mail', 'Zimmer'])).toEqual({
      ...expected,
      pin: 0,
    });
    expect(guessMemberImportColumns(['Visitor', 'Phone'])).toMatchObject({ name: null, email: null });
  });
});

describe('planMemberImport', () => {
  it('reads local times, times with an offset, emails, groups and PINs', () => {
    const lines = plan(
      'name,from,until,email,group,pin\nAnn,2026-06-01 15:00,2026-06-05T09:00:00Z,a@x.test; b@x.test,room 101,PIN 0042\nBen,,,,,\n',
    );
    expect(lines.map(({ planned }) => planned)).toEqual([
      {
        line: 2,
        name: 'Ann',
        starts_at: '2026-06-01T13:00:00.000Z',
        ends_at: '2026-06-05T09:00:00.000Z',
        emails: ['a@x.test', 'b@x.test'],
        member_group_ids: ['mg_1'],
        pin: '0042',
      },
      { line: 3, name: 'Ben', starts_at: null, ends_at: null, emails: [], member_group_ids: [], pin: null },
    ]);
  });

  it('lets a date without a time begin at check-in and end at check-out of the site', () => {
    const [line] = plan('name,from,until\nAnn,21.11.2026,25.11.2026\n');
    expect(line!.planned).toMatchObject({
      starts_at: '2026-11-21T14:00:00.000Z',
      ends_at: '2026-11-25T10:00:00.000Z',
    });
  });

  it('reports each wrong line, and keeps the others', () => {
    const wrong = [',,,,,', 'A,soon,,,,', 'B,2026-06-05,2026-06-01,,,', 'C,,,nobody,,', 'D,,,,Attic,', 'E,,,,,12'];
    const lines = plan(['name,from,until,email,group,pin', ...wrong, ' ,2026-06-01,,,,', 'F,,,,,'].join('\n'));
    expect(lines.map(({ line, planned }) => [line, isProblem(planned) ? planned.problem : null])).toEqual([
      [3, 'date'],
      [4, 'order'],
      [5, 'email'],
      [6, 'group'],
      [7, 'pin'],
      [8, 'name'],
      [9, null],
    ]);
  });

  it('finds the order of day and month in both columns', () => {
    const orderOf = (csv: string) => {
      const [header, ...rows] = parseCsv(csv).rows;
      return findOrderOfRows(rows, guessMemberImportColumns(header!.cells));
    };
    expect(orderOf('name,from,until\nAnn,03/04/2026,03/14/2026\n')).toBe('month-first');
    expect(orderOf('name,from,until\nAnn,03/04/2026,05/04/2026\n')).toBe('unknown');
  });
});
