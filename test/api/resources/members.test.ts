import { expect, it } from 'vitest';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';

onBothEngines('members', world => {
  it('are created from an empty object, valid without bounds', async () => {
    const client = await world().newOrganization();
    const created = await client.done('POST', '/members', {});
    expect(created).toEqual({
      id: expect.stringMatching(/^mem_/),
      organization_id: client.organizationId,
      name: '',
      starts_at: null,
      ends_at: null,
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: {},
      tag_ids: [],
      language: null,
    });
    expect(await client.done('GET', `/members/${created.id}`)).toEqual(created);
  });

  it('are listed newest first, page by page, while rows come and go', async () => {
    const client = await world().newOrganization();
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) ids.push((await client.done('POST', '/members', { name: `m${index}` })).id);
    const first = (await client.get('/members?limit=3')).body;
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(4).reverse());
    await client.done('DELETE', `/members/${ids[4]}`);
    await client.done('POST', '/members', { name: 'late' });
    const second = (await client.get(`/members?limit=3&cursor=${first.cursor_next}`)).body;
    expect(second.data.map(({ id }) => id)).toEqual([ids[3], ids[2], ids[1]]);
    const third = (await client.get(`/members?limit=3&cursor=${second.cursor_next}`)).body;
    expect(third.data.map(({ id }) => id)).toEqual([ids[0]]);
    expect(third).not.toHaveProperty('cursor_next');
    expect(third.has_next).toBe(false);
  });

  it('are the same list when what is hidden by default is said', async () => {
    const client = await world().newOrganization();
    for (const name of ['a', 'b']) await client.done('POST', '/members', { name, metadata: { run: '1' } });
    const { cursor_next } = (await client.get('/members?metadata.run=1&limit=1')).body;
    expect((await client.get(`/members?metadata.run=1&is_deleted=false&limit=1&cursor=${cursor_next}`)).status).toBe(
      200,
    );
    expect((await client.get(`/members?metadata.run=1&is_deleted=any&limit=1&cursor=${cursor_next}`)).status).toBe(400);
  });

  it('answer 404 to another organization', async () => {
    const [one, other] = [await world().newOrganization(), await world().newOrganization()];
    const created = await one.done('POST', '/members', {});
    expect((await other.get(`/members/${created.id}`)).status).toBe(404);
    expect((await other.call('PATCH', `/members/${created.id}`, { name: 'x' })).status).toBe(404);
    expect((await other.call('DELETE', `/members/${created.id}`)).status).toBe(404);
  });

  it('name the field that is wrong', async () => {
    const client = await world().newOrganization();
    const answer = await client.call('POST', '/members', { nmae: 'Ann' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'invalid_request', args: { field: 'nmae' } });
    const dates = { starts_at: '2026-06-02T00:00:00Z', ends_at: '2026-06-01T00:00:00Z' };
    expect((await client.call('POST', '/members', dates)).body).toMatchObject({ args: { field: 'ends_at' } });
    expect((await client.get('/members?expand=pinz')).body).toMatchObject({
      message: "Invalid expand 'pinz' for object 'member'",
    });
  });

  it('refuse a write to a read-only token', async () => {
    const client = await world().newOrganization('full_read_only');
    expect((await client.call('POST', '/members', {})).status).toBe(403);
    expect((await client.get('/members')).status).toBe(200);
  });

  it('are edited and deleted by one PATCH, and end as they would have when they come back', async () => {
    const client = await world().newOrganization();
    const member = await client.done('POST', '/members', { ends_at: '2026-07-01T00:00:00Z' });
    const deleted = await client.done('PATCH', `/members/${member.id}`, { name: 'Ann', is_deleted: true });
    expect(deleted).toMatchObject({ name: 'Ann', is_deleted: true });
    await client.done('PATCH', `/members/${member.id}`, { is_deleted: false });
    const { expired_for } = await world()
      .bridge.services.storage.reader.selectFrom('members')
      .select('expired_for')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow();
    expect(expired_for).toBeNull();
  });
});
