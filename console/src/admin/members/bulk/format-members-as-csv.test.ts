import { describe, expect, it } from 'vitest';
import { formatMembersAsCsv } from './format-members-as-csv.ts';

describe('formatMembersAsCsv', () => {
  it('lists emails, groups and tags, and disarms formulas', () => {
    const member = {
      id: 'mem_1',
      name: '=Ann',
      starts_at: null,
      ends_at: '2026-06-01T10:00:00.000Z',
      emails: [{ email: 'a@example.test' }, { email: 'b@example.test' }],
      group_associations: [{ member_group: { name: 'Staff' } }, { member_group: null }],
      tags: [{ name: 'VIP' }],
    };
    expect(formatMembersAsCsv([member as never]).split('\r\n')).toEqual([
      '"id","name","starts_at","ends_at","emails","groups","tags"',
      `"mem_1","'=Ann","","2026-06-01T10:00:00.000Z","a@example.test; b@example.test","Staff","VIP"`,
    ]);
  });
});
