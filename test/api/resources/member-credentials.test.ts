import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, it } from 'vitest';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { accessChangesOf, eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

const newMember = async (client: TestOrganizationClient): Promise<string> =>
  (await client.callOk('POST', '/members', {})).id;

interface Kind {
  readonly path: string;
  readonly type: string;
  readonly body: (client: TestOrganizationClient) => Promise<object>;
  readonly own: object;
  readonly revealed: object;
}

const kinds: readonly Kind[] = [
  {
    path: 'emails',
    type: 'member_email',
    body: async () => ({ email: 'Ann@Example.test' }),
    own: { email: 'Ann@Example.test' },
    revealed: {},
  },
  {
    path: 'magic_links',
    type: 'member_magic_link',
    body: async () => ({}),
    own: {},
    revealed: { link: expect.stringMatching(/^http:\/\/bridge\.test\/g\/[\w-]{43}$/) },
  },
  {
    path: 'pins',
    type: 'member_pin',
    body: async () => ({ pin: '004211' }),
    own: { length: 6 },
    revealed: { pin: '004211' },
  },
  {
    path: 'cards',
    type: 'member_card',
    body: async () => ({ uid: '04A1B2C3' }),
    own: { card_id: expect.stringMatching(/^crd_/), uid: '04a1b2c3', printed_code: null, name: '' },
    revealed: {},
  },
  {
    path: 'tokens',
    type: 'member_token',
    body: async () => ({}),
    own: {},
    revealed: { token: expect.stringMatching(/^lmt_[\w-]{43}$/) },
  },
  {
    path: 'group_associations',
    type: 'member_group_association',
    body: async client => ({
      member_group_id: (await client.callOk('POST', '/member_groups', { name: 'Guests' })).id,
      ends_at: '2026-07-01T12:00:00+02:00',
    }),
    own: {
      member_group_id: expect.stringMatching(/^mg_/),
      starts_at: null,
      ends_at: '2026-07-01T10:00:00.000Z',
    },
    revealed: {},
  },
];

describeOnBothDatabases('member credentials and associations', bridge => {
  it.each(kinds)('include $path that are created, read, edited and deleted with an event each', async kind => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    const path = `/members/${member}/${kind.path}`;
    const body = await kind.body(client);
    const [eventsBefore, changesBefore] = [
      (await eventsOf(bridge(), client)).length,
      (await accessChangesOf(bridge(), client)).length,
    ];
    const created = await client.callOk('POST', path, { ...body, metadata: { room: '12' } });
    const plain = {
      id: created.id,
      organization_id: client.organizationId,
      member_id: member,
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: { room: '12' },
      ...kind.own,
    };
    expect(created).toEqual({ ...plain, ...kind.revealed });
    expect(await client.callOk('GET', `${path}/${created.id}`)).toEqual(plain);
    expect((await client.callOk('GET', path)).data).toEqual([plain]);

    const edited = await client.callOk('PATCH', `${path}/${created.id}`, { metadata: { room: null, floor: '3' } });
    expect(edited).toEqual({ ...plain, metadata: { floor: '3' } });
    await client.callOk('PATCH', `${path}/${created.id}`, { metadata: { floor: '3' } });
    const deleted = await client.callOk('DELETE', `${path}/${created.id}`);
    expect(deleted).toEqual({ ...edited, is_deleted: true });
    expect(await client.callOk('DELETE', `${path}/${created.id}`)).toEqual(deleted);
    expect(await client.callOk('GET', `${path}/${created.id}`)).toEqual(deleted);
    expect((await client.callOk('GET', path)).data).toEqual([]);
    expect((await client.callOk('GET', `${path}?is_deleted=true`)).data).toEqual([deleted]);
    expect((await client.call('PATCH', `${path}/${created.id}`, { metadata: {} })).status).toBe(404);

    const own = (await eventsOf(bridge(), client)).slice(eventsBefore).filter(text => text.includes(`${kind.type} `));
    // In the order of the columns: an association also names its group, a member card its card.
    const ids = [member, created['member_group_id'], created.id, created['card_id']].flatMap(id =>
      typeof id === 'string' ? [id] : [],
    );
    expect(own).toEqual(['create', 'edit', 'delete'].map(verb => `${verb} ${kind.type} ${ids.join(' ')}`));
    expect((await accessChangesOf(bridge(), client)).slice(changesBefore)).toEqual(Array(3).fill(`member ${member}`));
  });

  it.each(kinds)('limit $path to their member and organization', async kind => {
    const client = await bridge().newOrganization();
    const [member, other] = [await newMember(client), await newMember(client)];
    const created = await client.callOk('POST', `/members/${member}/${kind.path}`, await kind.body(client));
    const stranger = await bridge().newOrganization();
    for (const [who, path] of [
      [client, `/members/${other}/${kind.path}/${created.id}`],
      [stranger, `/members/${member}/${kind.path}/${created.id}`],
    ] as const) {
      expect((await who.get(path)).status).toBe(404);
      expect((await who.call('PATCH', path, { metadata: { a: 'b' } })).status).toBe(404);
      expect((await who.call('DELETE', path)).status).toBe(404);
    }
    expect((await stranger.get(`/members/${member}/${kind.path}`)).status).toBe(404);
    expect((await stranger.call('POST', `/members/${member}/${kind.path}`, await kind.body(stranger))).status).toBe(
      404,
    );
    expect((await client.callOk('GET', `/members/${other}/${kind.path}`)).data).toEqual([]);
  });

  it.each(kinds)('reject $path for a deleted member', async kind => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    const body = await kind.body(client);
    await client.callOk('DELETE', `/members/${member}`);
    const answer = await client.call('POST', `/members/${member}/${kind.path}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'invalid_request', message: expect.stringContaining('deleted') });
  });

  it('are expanded in the member, without their secrets', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    for (const kind of kinds) {
      await client.callOk('POST', `/members/${member}/${kind.path}`, await kind.body(client));
    }
    const expand = kinds.map(({ path }) => path).join(',');
    const shown = await client.callOk('GET', `/members/${member}?expand=${expand},group_associations.member_group`);
    for (const { path, own } of kinds) expect(shown[path]).toEqual([expect.objectContaining(own)]);
    expect(JSON.stringify(shown)).not.toMatch(/004211|\/g\/|lmt_/);
    expect(shown['group_associations']).toMatchObject([{ member_group: { name: 'Guests' } }]);
  });

  it.each([
    { path: 'pins', type: 'member_pin', body: { length: 8 }, secret: 'pin' },
    { path: 'magic_links', type: 'member_magic_link', body: {}, secret: 'link' },
  ])('include $path that are revealed again, with an event', async ({ path, type, body, secret }) => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    const created = await client.callOk('POST', `/members/${member}/${path}`, body);
    const changes = await accessChangesOf(bridge(), client);
    const at = `/members/${member}/${path}/${created.id}`;
    expect(await client.callOk('POST', `${at}/reveal`, {})).toEqual(created);
    expect(created[secret]).toEqual(expect.any(String));
    expect((await eventsOf(bridge(), client)).at(-1)).toBe(`reveal ${type} ${member} ${created.id}`);
    expect(await accessChangesOf(bridge(), client)).toEqual(changes);
    expect((await client.call('POST', `${at}/reveal`, { pin: '1' })).status).toBe(400);
    const other = await newMember(client);
    expect((await client.call('POST', `/members/${other}/${path}/${created.id}/reveal`, {})).status).toBe(404);
    const readOnly = await bridge().client(client.organizationId, client.applicationId, 'full_read_only');
    expect((await readOnly.call('POST', `${at}/reveal`, {})).status).toBe(403);
    await client.callOk('DELETE', at);
    expect((await client.call('POST', `${at}/reveal`, {})).status).toBe(404);
  });

  it('store only the public key of a token, which matches its seed', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    const created = await client.callOk('POST', `/members/${member}/tokens`, {});
    const token = String(created['token']);
    const key = createPrivateKey({
      key: { kty: 'OKP', crv: 'Ed25519', d: token.slice('lmt_'.length), x: '' },
      format: 'jwk',
    });
    const row = await bridge()
      .services.storage.reader.selectFrom('member_tokens')
      .selectAll()
      .where('id', '=', created.id)
      .executeTakeFirstOrThrow();
    expect(row.public_key).toBe(createPublicKey(key).export({ format: 'jwk' }).x);
    expect((await client.call('POST', `/members/${member}/tokens/${created.id}/reveal`, {})).status).toBe(404);
  });

  it('leave no secret in the database or in the events', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    const pin = await client.callOk('POST', `/members/${member}/pins`, { length: 20 });
    const link = await client.callOk('POST', `/members/${member}/magic_links`, {});
    const token = await client.callOk('POST', `/members/${member}/tokens`, {});
    const { reader } = bridge().services.storage;
    const kept: object[] = [];
    for (const table of [
      'events',
      'member_pins',
      'member_magic_links',
      'member_tokens',
      'pin_claims',
      'pin_prefixes',
    ] as const) {
      kept.push(...(await reader.selectFrom(table).selectAll().execute()));
    }
    const text = JSON.stringify(kept);
    expect(text).toContain(pin.id);
    for (const secret of [pin['pin'], String(link['link']).split('/').at(-1), String(token['token']).slice(4)]) {
      expect(text).not.toContain(secret);
    }
  });

  it('reject an association that ends before it starts, or with an unknown group', async () => {
    const client = await bridge().newOrganization();
    const stranger = await bridge().newOrganization();
    const member = await newMember(client);
    const path = `/members/${member}/group_associations`;
    const group = await client.callOk('POST', '/member_groups', { name: 'A' });
    const dates = { starts_at: '2026-06-02T00:00:00Z', ends_at: '2026-06-01T00:00:00Z' };
    const wrongDates = await client.call('POST', path, { member_group_id: group.id, ...dates });
    expect(wrongDates.body).toMatchObject({ type: 'invalid_request', args: { field: 'ends_at' } });
    expect((await client.call('POST', path, {})).body).toMatchObject({ args: { field: 'member_group_id' } });
    const foreign = await stranger.callOk('POST', '/member_groups', { name: 'B' });
    await client.callOk('DELETE', `/member_groups/${group.id}`);
    for (const id of [group.id, foreign.id, 'mg_unknown']) {
      const answer = await client.call('POST', path, { member_group_id: id });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ args: { field: 'member_group_id' } });
    }
  });

  it('include associations whose dates a PATCH changes', async () => {
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

  it('find e-mail addresses by substring, and the member by an address that is not deleted', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    const path = `/members/${member}/emails`;
    const email = await client.callOk('POST', path, { email: 'ann@hotel.example' });
    await client.callOk('POST', path, { email: 'office@work.example' });
    expect((await client.callOk('GET', `${path}?q=HOTEL`)).data).toEqual([email]);
    expect((await client.callOk('GET', '/members?email=ANN@hotel.example')).data).toMatchObject([{ id: member }]);
    await client.callOk('DELETE', `${path}/${email.id}`);
    expect((await client.callOk('GET', '/members?email=ann@hotel.example')).data).toEqual([]);
    expect((await client.call('POST', path, { email: 'no address' })).body).toMatchObject({ args: { field: 'email' } });
    expect((await client.call('PATCH', `${path}/${email.id}`, { email: 'x@y.example' })).status).toBe(400);
  });
});
