import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';

describeOnBothDatabases('GET /members?search=', bridge => {
  let client: TestOrganizationClient;
  let muller: string;

  beforeAll(async () => {
    client = await bridge().newOrganization();
    const other = await bridge().newOrganization();
    await other.callOk('POST', '/members', { name: 'Anna Müller' });
    muller = (await client.callOk('POST', '/members', { name: 'Anna Müller', metadata: { booking: 'R-2211' } })).id;
    await client.callOk('POST', `/members/${muller}/emails`, { email: 'A.Mueller@hotel.test' });
    for (const name of ['Annika Meyer', 'Joanna Mull', 'Zoë O’Brien'])
      await client.callOk('POST', '/members', { name });
  });

  const search = async (text: string, more = '') =>
    (await client.callOk('GET', `/members?search=${encodeURIComponent(text)}&sort=name:asc${more}`)).data.map(
      ({ name }) => name,
    );

  it.each([
    ['ann', ['Anna Müller', 'Annika Meyer']],
    ['ANNA', ['Anna Müller']],
    ['mull', ['Anna Müller', 'Joanna Mull']],
    ['MÜLL', ['Anna Müller', 'Joanna Mull']],
    ['mull anna', ['Anna Müller']],
    ['nna', []],
    ['zoe', ['Zoë O’Brien']],
    ['brien', ['Zoë O’Brien']],
    ['a.mueller@hotel.test', ['Anna Müller']],
    ['r-22', ['Anna Müller']],
    ['%', ['Anna Müller', 'Annika Meyer', 'Joanna Mull', 'Zoë O’Brien']],
    ['anna_', ['Anna Müller']],
  ])('finds %j by the beginning of words of name, email and metadata', async (text, names) => {
    expect(await search(text)).toEqual(names);
  });

  it('pages with a cursor that belongs to the search', async () => {
    const query = '/members?search=ann&sort=name:asc&limit=1';
    const first = await client.callOk('GET', query);
    const second = await client.callOk('GET', `${query}&cursor=${first.cursor_next}`);
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['Anna Müller', 'Annika Meyer']);
    expect(second.has_next).toBe(false);
    expect((await client.call('GET', `/members?search=mull&limit=1&cursor=${first.cursor_next}`)).status).toBe(400);
  });

  it('follows changes of the member and its emails', async () => {
    const { id } = await client.callOk('POST', '/members', { name: 'Temporary' });
    const email = await client.callOk('POST', `/members/${id}/emails`, { email: 'first@stay.test' });
    expect(await search('stay')).toEqual(['Temporary']);
    await client.callOk('DELETE', `/members/${id}/emails/${email.id}`);
    expect(await search('stay')).toEqual([]);
    await client.callOk('PATCH', `/members/${id}`, { name: 'Permanent', metadata: { room: '404' } });
    expect([await search('temporary'), await search('perm 404')]).toEqual([[], ['Permanent']]);
    await client.callOk('DELETE', `/members/${id}`);
    expect([await search('perm'), await search('perm', '&is_deleted=true')]).toEqual([[], ['Permanent']]);
  });

  it('combines with filters', async () => {
    expect(await search('ann', '&metadata.booking=R-2211')).toEqual(['Anna Müller']);
    expect(await search('ann', '&email=a.mueller%40hotel.test')).toEqual(['Anna Müller']);
  });

  it('finds members by words that many members have', async () => {
    const hotel = await bridge().newOrganization();
    const { writer: db } = bridge().services.storage;
    const organization_id = hotel.organizationId;
    const guests = Array.from({ length: 2600 }, (_, number) => ({
      id: `mem_${hotel.organizationId}_${number}`,
      number,
    }));
    const row = { organization_id, is_deleted: 0 as const, metadata: '{}', tag_ids: '[]', language: null };
    const unlimited = { expired_for: null, starts_at: null, ends_at: null };
    for (let from = 0; from < guests.length; from += 200) {
      const batch = guests.slice(from, from + 200);
      const members = batch.map(({ id, number }) => ({
        id,
        name: `Guest Summer ${number}`,
        created_at: number,
        ...row,
        ...unlimited,
      }));
      const terms = batch.flatMap(({ id: member_id, number }) =>
        ['guest', 'summer', number % 4 === 0 ? 'august' : 'july', number < 1600 ? 'early' : 'late', String(number)].map(
          term => ({ organization_id, term, member_id }),
        ),
      );
      await db.insertInto('members').values(members).execute();
      await db.insertInto('member_search_terms').values(terms).execute();
    }
    await hotel.callOk('POST', '/members', { name: 'Guest Winter' });
    const find = async (query: string) => (await hotel.callOk('GET', `/members?${query}`)).data.map(({ name }) => name);
    expect(await find('search=guest&limit=2')).toEqual(['Guest Winter', 'Guest Summer 2599']);
    expect(await find('search=guest+summer&limit=2')).toEqual(['Guest Summer 2599', 'Guest Summer 2598']);
    expect(await find('search=guest+winter')).toEqual(['Guest Winter']);
    expect(await find('search=guest+aug&limit=2')).toEqual(['Guest Summer 2596', 'Guest Summer 2592']);
    expect(await find('search=summer+winter')).toEqual([]);
    expect(await find('search=summer+259&limit=3')).toEqual([
      'Guest Summer 2599',
      'Guest Summer 2598',
      'Guest Summer 2597',
    ]);
    expect(await find('search=winter+259')).toEqual([]);
    const findAll = async (query: string) => {
      const found: unknown[] = [];
      for (let cursor = ''; ; ) {
        const page = await hotel.callOk('GET', `/members?${query}&limit=100${cursor}`);
        found.push(...page.data.map(({ name }) => name));
        if (!page.has_next) return found;
        cursor = `&cursor=${page.cursor_next}`;
      }
    };
    const newestFirst = guests.map(({ number }) => `Guest Summer ${number}`).toReversed();
    expect(await findAll('search=aug')).toEqual(newestFirst.filter((_, index) => index % 4 === 3));
    // The matches are far behind in the list.
    expect(await find('search=early&limit=2')).toEqual(['Guest Summer 1599', 'Guest Summer 1598']);
    expect(await findAll('search=guest+early')).toEqual(newestFirst.slice(1000));
    expect(await findAll('search=early&sort=created_at:asc')).toEqual(newestFirst.slice(1000).toReversed());
    expect(await findAll('search=summer+early&sort=name:asc')).toEqual(newestFirst.slice(1000).toSorted());
    expect(await findAll('search=late&sort=name:desc')).toEqual(newestFirst.slice(0, 1000).toSorted().toReversed());
    // The filter excludes the matches that are read first.
    await sql`update members set metadata = '{"source":"pms"}' where id = ${guests[8]!.id}`.execute(db);
    expect(await find('search=aug&limit=2&metadata.source=pms')).toEqual(['Guest Summer 8']);
  });
});
