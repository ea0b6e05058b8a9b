import { eventMatches } from '@lintel/cloud-bridge/reading/event-matches';
import { filterNames, parseFilter } from '@lintel/wire-protocol/rest/filter';
import { expect, it } from 'vitest';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';
import { aDoor } from '../../support/bridge/place.ts';

/** A filter's value as an event has it, and for times also a little beside it. */
const valuesFor = (name: string, event: Readonly<Record<string, unknown>>): string[] => {
  const [field = ''] = name.split(':');
  const [part = '', inner] = field.split('.');
  const value = inner === undefined ? event[part] : (event[part] as Record<string, unknown> | undefined)?.[inner];
  if (typeof value !== 'string') return [];
  return name.includes(':') ? [value, value.replace('Z', '5Z'), value.replace(/\.\d+Z$/, 'Z')] : [value];
};

onBothEngines('filters of events', world => {
  it('choose the same events in memory as in the database', async () => {
    const client = await world().newOrganization();
    const { gadgetId } = await aDoor(world(), client);
    const member = await client.done('POST', '/members', { name: 'Ann' });
    world().passSeconds(0.001);
    await client.done('POST', `/members/${member.id}/pins`, { length: 6 });
    world().passSeconds(1);
    await client.done('POST', `/gadgets/${gadgetId}/actions/open`, {});
    await client.done('DELETE', `/members/${member.id}`);
    const shown = (await client.done('GET', '/events')).data;
    const rows = await world()
      .bridge.services.storage.reader.selectFrom('events')
      .selectAll()
      .where('organization_id', '=', client.organizationId)
      .execute();
    const asked = filterNames('event').flatMap(name =>
      [...new Set(shown.flatMap(event => valuesFor(name, event)))].map(value => ({ name, value })),
    );
    expect(asked.length).toBeGreaterThan(40);
    for (const { name, value } of asked) {
      const filter = parseFilter('event', name, value);
      if (!filter.ok) throw new Error(`${name}=${value}`);
      const inMemory = rows.filter(row => eventMatches(row, [filter.value])).map(({ id }) => id);
      const listed = (await client.done('GET', `/events?${name}=${encodeURIComponent(value)}`)).data.map(
        ({ id }) => id,
      );
      expect([name, value, inMemory.toSorted()]).toEqual([name, value, listed.toSorted()]);
    }
  });
});
