import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../csv/parse-csv.ts';
import { guessMemberImportColumns, planMemberImport } from './import-plan.ts';

const context = { groups: [{ id: 'mg_1', name: 'Room 101' }], zone: 'Europe/Madrid' };
const plan = (csv: string) => {
  const [header, ...rows] = parseCsv(csv).rows;
  return planMemberImport(rows, guessMemberImportColumns(header!.cells), context);
};

describe('guessMemberImportColumns', () => {
  it('finds the usual names in several languages, and those of the export', () => {
    const exported = ['id', 'name', 'starts_at', 'ends_at', 'emails', 'groups', 'tags'];
    expect(guessMemberImportColumns(exported)).toEqual({ name: 1, starts_at: 2, ends_at: 3, email: 4, groups: 5 });
    expect(guessMemberImportColumns(['Name', 'Anreise', 'Abreise', 'E-Mail', 'Zimmer'])).toEqual({
      name: 0,
      starts_at: 1,
      ends_at: 2,
      email: 3,
      groups: 4,
    });
    expect(guessMemberImportColumns(['Guest', 'Phone'])).toMatchObject({ name: null, email: null });
  });
});

describe('planMemberImport', () => {
  it('reads local times, times with an offset, emails and groups', () => {
    const { members, errors } = plan(
      'name,from,until,email,group\nAnn,2026-06-01 15:00,2026-06-05T09:00:00Z,a@x.test; b@x.test,room 101\nBen,,,,\n',
    );
    expect(errors).toEqual([]);
    expect(members).toEqual([
      {
        line: 2,
        name: 'Ann',
        starts_at: '2026-06-01T13:00:00.000Z',
        ends_at: '2026-06-05T09:00:00.000Z',
        emails: ['a@x.test', 'b@x.test'],
        groupIds: ['mg_1'],
      },
      { line: 3, name: 'Ben', starts_at: null, ends_at: null, emails: [], groupIds: [] },
    ]);
  });

  it('reports each wrong line', () => {
    const lines = [',,,,', 'A,soon,,,', 'B,2026-06-05,2026-06-01,,', 'C,,,nobody,', 'D,,,,Attic', ' ,2026-06-01,,,'];
    const { members, errors } = plan(['name,from,until,email,group', ...lines].join('\n'));
    expect(members).toEqual([]);
    expect(errors.map(({ line, problem }) => [line, problem])).toEqual([
      [3, 'date'],
      [4, 'order'],
      [5, 'email'],
      [6, 'group'],
      [7, 'name'],
    ]);
  });
});
