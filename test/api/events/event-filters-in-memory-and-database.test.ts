import { eventMatchesFilters } from '@lintel/cloud-bridge/testing';
import { getListFilterNames, parseListFilter } from '@lintel/wire-protocol/rest/list-filter';
import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDoor } from '../../support/bridge/site-fixtures.ts';

/** Filter values that match an event, and for times also values next to them. */
const valuesFor = (name: string, event: Readonly<Record<string, unknown>>): string[] => {
  const [field = ''] = name.split(':');
  const [part = '', inner] = field.split('.');
  const value = inner === undefined ? event[part] : (event[part] as Record<string, unknown> | undefined)?.[inner];
  if (typeof value !== 'string') return [];
  return name.includes(':') ? [value, value.replace('Z', '5Z'), value.replace(/\.\d+Z$/, 'Z')] : [value];
};

describeOnBothDatabases('event filters', bridge => {
  it('select the same events in memory as in the database', async () => {
    const client = await bridge().newOrganization();
    const { gadgetId } = await createTestDoor(bridge(), client);
    const member = await client.callOk('POST', '/members', { name: 'Ann' });
    bridge().advanceSeconds(0.001);
    await client.callOk('POST', `/members/${member.id}/pins`, { length: 6 });
    bridge().advanceSeconds(1);
    await client.callOk('POST', `/gadgets/${gadgetId}/actions/open`, {});
    await client.callOk('DELETE', `/members/${member.id}`);
    const shown = (await client.callOk('GET', '/events')).data;
    const rows = await bridge()
      .services.storage.reader.selectFrom('events')
      .selectAll()
      .where('organization_id', '=', client.organizationId)
      .execute();
    const filters = getListFilterNames('event').flatMap(name =>
      [...new Set(shown.flatMap(event => valuesFor(name, event)))].map(value => ({ name, value })),
    );
    filters.push(...['user', 'oauth_application'].map(value => ({ name: 'subject.type', value })));
    filters.push(
      { name: 'verb', value: 'create,use' },
      { name: 'subject.type', value: 'oauth_application,member' },
      { name: 'object.member_id', value: `${member.id},mem_unknown` },
    );
    expect(filters.length).toBeGreaterThan(40);
    for (const { name, value } of filters) {
      const filter = parseListFilter('event', name, value);
      if (!filter.ok) throw new Error(`${name}=${value}`);
      const inMemory = rows.filter(row => eventMatchesFilters(row, [filter.value])).map(({ id }) => id);
      const listed = (await client.callOk('GET', `/events?${name}=${encodeURIComponent(value)}`)).data.map(
        ({ id }) => id,
      );
      expect([name, value, inMemory.toSorted()]).toEqual([name, value, listed.toSorted()]);
    }
  });
});
