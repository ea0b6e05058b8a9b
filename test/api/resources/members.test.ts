import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import { accessChangesOf, eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';

describeOnBothDatabases('members', bridge => {
  it('are created from an empty object, without start and end', async () => {
    const client = await bridge().newOrganization();
    const created = await client.callOk('POST', '/members', {});
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
    expect(await client.callOk('GET', `/members/${created.id}`)).toEqual(created);
  });

  it('are listed newest first in stable pages during inserts and deletes', async () => {
    const client = await bridge().newOrganization();
    const ids: string[] = [];
    for (let index = 0; index < 7; index++)
      ids.push((await client.callOk('POST', '/members', { name: `m${index}` })).id);
    const first = (await client.get('/members?limit=3')).body;
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(4).reverse());
    await client.callOk('DELETE', `/members/${ids[4]}`);
    await client.callOk('POST', '/members', { name: 'late' });
    const second = (await client.get(`/members?limit=3&cursor=${first.cursor_next}`)).body;
    expect(second.data.map(({ id }) => id)).toEqual([ids[3], ids[2], ids[1]]);
    const third = (await client.get(`/members?limit=3&cursor=${second.cursor_next}`)).body;
    expect(third.data.map(({ id }) => id)).toEqual([ids[0]]);
    expect(third).not.toHaveProperty('cursor_next');
    expect(third.has_next).toBe(false);
  });

  it('are listed the same with the default filters given explicitly', async () => {
    const client = await bridge().newOrganization();
    for (const name of ['a', 'b']) await client.callOk('POST', '/members', { name, metadata: { run: '1' } });
    const { cursor_next } = (await client.get('/members?metadata.run=1&limit=1')).body;
    expect((await client.get(`/members?metadata.run=1&is_deleted=false&limit=1&cursor=${cursor_next}`)).status).toBe(
      200,
    );
    expect((await client.get(`/members?metadata.run=1&is_deleted=any&limit=1&cursor=${cursor_next}`)).status).toBe(400);
  });

  it('return 404 to another organization', async () => {
    const [one, other] = [await bridge().newOrganization(), await bridge().newOrganization()];
    const created = await one.callOk('POST', '/members', {});
    expect((await other.get(`/members/${created.id}`)).status).toBe(404);
    expect((await other.call('PATCH', `/members/${created.id}`, { name: 'x' })).status).toBe(404);
    expect((await other.call('DELETE', `/members/${created.id}`)).status).toBe(404);
  });

  it('are rejected with the invalid field', async () => {
    const client = await bridge().newOrganization();
    const answer = await client.call('POST', '/members', { nmae: 'Ann' });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'invalid_request', args: { field: 'nmae' } });
    const dates = { starts_at: '2026-06-02T00:00:00Z', ends_at: '2026-06-01T00:00:00Z' };
    expect((await client.call('POST', '/members', dates)).body).toMatchObject({ args: { field: 'ends_at' } });
    expect((await client.get('/members?expand=pinz')).body).toMatchObject({
      message: "Invalid expand 'pinz' for object 'member'",
    });
  });

  it('cannot be written with a read-only token', async () => {
    const client = await bridge().newOrganization('full_read_only');
    expect((await client.call('POST', '/members', {})).status).toBe(403);
    expect((await client.get('/members')).status).toBe(200);
  });

  it('are edited and deleted by one PATCH, and keep their dates when undeleted', async () => {
    const client = await bridge().newOrganization();
    const member = await client.callOk('POST', '/members', { ends_at: '2026-07-01T00:00:00Z' });
    const deleted = await client.callOk('PATCH', `/members/${member.id}`, { name: 'Ann', is_deleted: true });
    expect(deleted).toMatchObject({ name: 'Ann', is_deleted: true });
    expect((await eventsOf(bridge(), client)).slice(1)).toEqual(
      ['edit', 'delete'].map(verb => `${verb} member ${member.id}`),
    );
    await client.callOk('PATCH', `/members/${member.id}`, { is_deleted: false });
    const { expired_for } = await bridge()
      .services.storage.reader.selectFrom('members')
      .select('expired_for')
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow();
    expect(expired_for).toBeNull();
  });

  it('change only in the given fields, with an event and a controller change only for a difference', async () => {
    const client = await bridge().newOrganization();
    const member = await client.callOk('POST', '/members', {
      name: 'Ada',
      starts_at: '2026-06-01T10:00:00+02:00',
      language: 'en-us',
      metadata: { room: '7', floor: '1' },
    });
    expect(member).toMatchObject({ starts_at: '2026-06-01T08:00:00.000Z', ends_at: null, language: 'en-US' });
    const metadata = { room: '8', floor: null, wing: 'N' };
    const edited = await client.callOk('PATCH', `/members/${member.id}`, { metadata });
    expect(edited).toEqual({ ...member, metadata: { room: '8', wing: 'N' } });
    for (const same of [{}, { name: 'Ada', metadata: { room: '8' } }])
      expect(await client.callOk('PATCH', `/members/${member.id}`, same)).toEqual(edited);
    for (let count = 0; count < 2; count++) await client.callOk('DELETE', `/members/${member.id}`);
    expect(await eventsOf(bridge(), client)).toEqual(
      ['create', 'edit', 'delete'].map(verb => `${verb} member ${member.id}`),
    );
    expect(await accessChangesOf(bridge(), client)).toEqual(Array(3).fill(`member ${member.id}`));
  });

  it('are edited as a whole or not at all', async () => {
    const client = await bridge().newOrganization();
    const member = await client.callOk('POST', '/members', {
      starts_at: '2026-06-01T00:00:00.000Z',
      ends_at: '2026-07-01T00:00:00.000Z',
    });
    const path = `/members/${member.id}`;
    for (const [change, field] of [
      [{ name: 'Grace', ends_at: '2026-05-01T00:00:00Z' }, 'ends_at'],
      [{ name: 'Grace', starts_at: '2026-08-01T00:00:00Z' }, 'starts_at'],
    ] as const) {
      expect(await client.call('PATCH', path, change)).toMatchObject({ status: 400, body: { args: { field } } });
    }
    expect(await client.callOk('GET', path)).toEqual(member);
    const { starts_at } = member;
    expect(await client.callOk('PATCH', path, { ends_at: starts_at })).toMatchObject({ ends_at: starts_at });
    const unlimited = { starts_at: null, ends_at: '2020-01-01T00:00:00.000Z' };
    expect(await client.callOk('PATCH', path, unlimited)).toMatchObject(unlimited);
  });

  it('return 404 to a PATCH of a deleted member unless it undeletes the member', async () => {
    const client = await bridge().newOrganization();
    const { id } = await client.callOk('POST', '/members', { name: 'Ann' });
    await client.callOk('DELETE', `/members/${id}`);
    for (const body of [{}, { name: 'Bea' }, { is_deleted: true }]) {
      expect((await client.call('PATCH', `/members/${id}`, body)).status).toBe(404);
    }
    expect(await client.callOk('PATCH', `/members/${id}`, { name: 'Bea', is_deleted: false })).toMatchObject({
      name: 'Bea',
      is_deleted: false,
    });
  });
});
