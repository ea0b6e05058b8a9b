import { expect, it } from 'vitest';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

describeOnBothDatabases('optional fields of a POST', bridge => {
  it('are left out by null, and texts also by an empty text', async () => {
    const client = await bridge().newOrganization();
    const empty = { name: null, starts_at: null, ends_at: null, metadata: null, tag_ids: null };
    const without = { name: '', starts_at: null, ends_at: null, metadata: {}, tag_ids: [], language: null };
    expect(await client.callOk('POST', '/members', { ...empty, language: null })).toMatchObject(without);
    const member = await client.callOk('POST', '/members', { ...empty, name: '', language: '' });
    expect(member).toMatchObject(without);
    const cards = `/members/${member.id}/cards`;
    const card = { card_id: null, uid: '04a1b2c3', printed_code: '', metadata: null };
    expect(await client.callOk('POST', cards, card)).toMatchObject({ uid: '04a1b2c3', printed_code: null });
    expect(await client.callOk('POST', '/cards', { id: '', uid: '04a1b2c4', name: null })).toMatchObject({ name: '' });
    expect(await client.callOk('POST', '/tags', { name: 'VIP', color: '' })).toMatchObject({ color: null });
    expect(await client.callOk('POST', `/members/${member.id}/pins`, { length: 6, pin: '' })).toMatchObject({
      length: 6,
    });
  });

  it('are still validated, and required fields are still required', async () => {
    const client = await bridge().newOrganization();
    const { id } = await client.callOk('POST', '/members', {});
    for (const [path, body, field] of [
      ['/members', { ends_at: '' }, 'ends_at'],
      ['/members', { language: 'x!' }, 'language'],
      ['/tags', { name: null }, 'name'],
      [`/members/${id}/pins`, { length: '' }, 'length'],
      [`/members/${id}/cards`, { uid: '', printed_code: null }, 'card_id'],
      [`/members/${id}/emails`, { email: '' }, 'email'],
    ] as const) {
      expect((await client.call('POST', path, body)).body).toMatchObject({ type: 'invalid_request', args: { field } });
    }
  });
});

describeOnBothDatabases('PATCH', bridge => {
  it('of a deleted member is 404 unless it undeletes the member', async () => {
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

  it('of a group association changes its dates', async () => {
    const client = await bridge().newOrganization();
    const member = await client.callOk('POST', '/members', {});
    const group = await client.callOk('POST', '/member_groups', { name: 'Guests' });
    const path = `/members/${member.id}/group_associations`;
    const created = await client.callOk('POST', path, { member_group_id: group.id, ends_at: '2026-07-01T00:00:00Z' });
    const starts_at = '2026-06-10T00:00:00.000Z';
    const edited = await client.callOk('PATCH', `${path}/${created.id}`, { starts_at, metadata: { room: '7' } });
    expect(edited).toEqual({ ...created, starts_at, metadata: { room: '7' } });
    expect(await client.callOk('PATCH', `${path}/${created.id}`, { ends_at: null })).toMatchObject({ ends_at: null });
    await client.callOk('PATCH', `${path}/${created.id}`, { ends_at: '2026-07-01T00:00:00Z' });
    const late = await client.call('PATCH', `${path}/${created.id}`, { starts_at: '2026-08-01T00:00:00Z' });
    expect(late).toMatchObject({ status: 400, body: { args: { field: 'starts_at' } } });
    const events = (await client.callOk('GET', `/events?object.member_group_association_id=${created.id}`)).data;
    expect(events.map(event => event['verb'])).toEqual(['edit', 'edit', 'edit', 'create']);
    for (const event of events) {
      expect(event['object']).toMatchObject({ member_id: member.id, member_group_id: group.id });
    }
    const found = (
      await client.callOk('GET', `/events?object.member_group_id=${group.id}&object.type=member_group_association`)
    ).data;
    expect(found).toHaveLength(4);
  });
});

describeOnBothDatabases('events of member cards', bridge => {
  it('name the card', async () => {
    const client = await bridge().newOrganization();
    const member = await client.callOk('POST', '/members', {});
    const path = `/members/${member.id}/cards`;
    const held = await client.callOk('POST', path, { uid: '04a1b2c3' });
    await client.callOk('PATCH', `${path}/${held.id}`, { metadata: { color: 'red' } });
    await client.callOk('DELETE', `${path}/${held.id}`);
    const events = (await client.callOk('GET', `/events?object.member_card_id=${held.id}`)).data;
    expect(events.map(event => event['verb'])).toEqual(['delete', 'edit', 'create']);
    for (const event of events) {
      expect(event['object']).toMatchObject({ member_id: member.id, card_id: held['card_id'] });
    }
  });
});
