import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';
import type { TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';

const person = {
  name: 'Wilhelmina Quastenflosser',
  email: 'wilhelmina@quastenflosser.test',
  uid: '04c0ffee5ca1ab',
  pin: '83461975',
  language: 'de',
};
const traces = ['Quastenflosser', person.email, person.uid, person.pin, 'wilhelmina', 'room-4711', 'Erikas Schlüssel'];

/** The tables and columns that contain one of the texts. */
const findTraces = async ({ services }: TestBridge, texts: readonly string[]): Promise<string[]> => {
  const { storage } = services;
  const tables = await storage.reader.introspection.getTables();
  expect(tables.map(({ name }) => name)).toContain('members');
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(storage.reader);
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        const content = Buffer.isBuffer(value) ? value.toString('latin1') : String(value);
        if (texts.some(text => content.toLowerCase().includes(text.toLowerCase()))) found.push(`${name}.${column}`);
      }
  }
  return [...new Set(found)].toSorted();
};

/** A member with everything that can contain personal data. */
const createPerson = async (bridge: TestBridge, client: TestOrganizationClient) => {
  const headers = { authorization: `Bearer ${client.token}`, 'idempotency-key': `create ${client.organizationId}` };
  const payload = { name: person.name, language: person.language, metadata: { room: 'room-4711' } };
  const created = await bridge.app.inject({ method: 'POST', url: '/v2/members', headers, payload });
  const { id } = created.json<{ id: string }>();
  await client.callOk('POST', `/members/${id}/emails`, { email: person.email });
  await client.callOk('POST', `/members/${id}/pins`, { pin: person.pin });
  const { id: memberCard } = await client.callOk('POST', `/members/${id}/cards`, { uid: person.uid });
  const { card_id } = await client.callOk('GET', `/members/${id}/cards/${memberCard}`);
  await client.callOk('PATCH', `/cards/${String(card_id)}`, { name: 'Erikas Schlüssel' });
  await client.callOk('POST', `/members/${id}/magic_links`, {});
  await bridge.services.writer.write(
    client.organizationId,
    { member_id: id, ip_address: '192.0.2.77', client: { name: 'Quastenflosser phone' } },
    async context => context.log({ verb: 'check', object: { type: 'member', member_id: id } }),
  );
  return { id, memberCard, card_id: String(card_id) };
};

describeOnBothDatabases('personal data of a member', bridge => {
  const open = async (): Promise<{ client: TestOrganizationClient; owner: AdminClient }> => {
    const client = await bridge().newOrganization();
    return { client, owner: await openAdminSession(bridge(), client.organizationId, 'owner') };
  };

  it('is exported without secrets', async () => {
    const { client, owner } = await open();
    const webhook = await client.callOk('POST', '/webhooks', {
      url: 'https://receiver.example.test/',
      filter: [{ object_type: 'member' }],
    });
    const { id, memberCard } = await createPerson(bridge(), client);
    const data = await owner.callOk('GET', `/members/${id}/personal_data`);
    expect(data).toMatchObject({
      member: { id, name: person.name, language: 'de' },
      emails: [{ email: person.email }],
      pins: [{ length: person.pin.length }],
      cards: [{ id: memberCard, uid: person.uid }],
      magic_links: [{}],
      tokens: [],
      group_associations: [],
    });
    const events = data['events'] as { verb: string; object: { type: string } }[];
    expect(events.map(({ verb, object }) => `${verb} ${object.type}`)).toEqual([
      'create member',
      'create member_email',
      'create member_pin',
      'create member_card',
      'create member_magic_link',
      'check member',
    ]);
    const deliveries = data['deliveries'] as { webhook_id: string }[];
    expect(deliveries.map(({ webhook_id }) => webhook_id)).toEqual([webhook.id, webhook.id]);
    expect(JSON.stringify(data)).not.toContain(person.pin);
    await owner.callOk('POST', `/members/${id}/erase`, {});
  });

  it('is in no table after the erasure, and the events stay', async () => {
    const { client, owner } = await open();
    const { id, card_id } = await createPerson(bridge(), client);
    expect(await findTraces(bridge(), traces)).toEqual(
      expect.arrayContaining(['cards.uid', 'member_emails.email', 'members.metadata', 'members.name']),
    );
    const before = (await client.callOk('GET', `/events?object.member_id=${id}`)).data;
    expect(await owner.callOk('POST', `/members/${id}/erase`, {})).toMatchObject({
      id,
      name: '',
      is_deleted: true,
      metadata: {},
    });
    expect(await findTraces(bridge(), [...traces, '192.0.2.77'])).toEqual([]);
    const { rows } = await sql`select key from idempotency_keys
      where organization_id = ${client.organizationId}`.execute(bridge().services.storage.reader);
    expect(rows).toEqual([]);
    const after = (await client.callOk('GET', `/events?object.member_id=${id}`)).data;
    expect(after.map(event => event.id)).toEqual(expect.arrayContaining(before.map(event => event.id)));
    expect(after[0]).toMatchObject({ verb: 'delete', reason: 'erased', subject: { user_id: owner.userId } });
    expect((await client.callOk('GET', `/members/${id}/pins?is_deleted=any`)).data).toEqual([]);
    expect((await client.callOk('GET', `/cards/${card_id}`))['is_deleted']).toBe(true);
    // PIN and card are free again.
    const other = await createPerson(bridge(), client);
    await owner.callOk('POST', `/members/${other.id}/erase`, {});
    expect((await owner.call('POST', `/members/${id}/erase`, {})).status).toBe(200);
  });

  it('keeps a card that another member has now', async () => {
    const { client, owner } = await open();
    const { id, memberCard, card_id } = await createPerson(bridge(), client);
    await client.callOk('DELETE', `/members/${id}/cards/${memberCard}`);
    const { id: other } = await client.callOk('POST', '/members', { name: 'Bob' });
    await client.callOk('POST', `/members/${other}/cards`, { card_id });
    await owner.callOk('POST', `/members/${id}/erase`, {});
    expect(await client.callOk('GET', `/cards/${card_id}`)).toMatchObject({ uid: person.uid, is_deleted: false });
    await owner.callOk('POST', `/members/${other}/erase`, {});
  });

  it('is for owners and administrators of the organization', async () => {
    const { client, owner } = await open();
    const { id } = await client.callOk('POST', '/members', { name: 'Ann' });
    const frontDesk = await openAdminSession(bridge(), client.organizationId, 'front_desk');
    expect((await frontDesk.get(`/members/${id}/personal_data`)).status).toBe(403);
    expect((await frontDesk.call('POST', `/members/${id}/erase`, {})).status).toBe(403);
    const { owner: stranger } = await open();
    expect((await stranger.get(`/members/${id}/personal_data`)).status).toBe(404);
    expect((await stranger.call('POST', `/members/${id}/erase`, {})).status).toBe(404);
    expect((await owner.get(`/members/${id}/personal_data`)).status).toBe(200);
  });
});
