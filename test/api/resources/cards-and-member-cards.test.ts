import { expect, it } from 'vitest';
import type { TestBridge, TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { accessChangesOf, eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

const newMember = async (client: TestOrganizationClient): Promise<string> =>
  (await client.callOk('POST', '/members', {})).id;

let codes = 0;

/** A printed stock card that the organization has received; null if no organization has. */
const createStockCard = async (
  bridge: TestBridge,
  client: TestOrganizationClient | null,
  known: { uid?: string; printed_code?: string } = {},
) => {
  const { storage, newId } = bridge.services;
  const card = {
    id: newId('card'),
    organization_id: null,
    is_deleted: 0 as const,
    created_at: 0,
    metadata: '{}',
    name: null,
    uid: null,
    printed_code: `LNT-${++codes}`,
    reserved_for: client?.organizationId ?? null,
    ...known,
  };
  await storage.writer.insertInto('cards').values(card).execute();
  return card;
};

describeOnBothDatabases('cards', bridge => {
  it('are registered, edited and deleted with an event each', async () => {
    const client = await bridge().newOrganization();
    const created = await client.callOk('POST', '/cards', {
      uid: '04A1B2C3D4E5F6',
      name: 'Blue',
      metadata: { a: '1' },
    });
    expect(created).toEqual({
      id: expect.stringMatching(/^crd_/),
      organization_id: client.organizationId,
      name: 'Blue',
      uid: '04a1b2c3d4e5f6',
      printed_code: null,
      is_deleted: false,
      created_at: '2026-06-01T10:00:00.000Z',
      metadata: { a: '1' },
    });
    const edited = await client.callOk('PATCH', `/cards/${created.id}`, { name: 'Green', metadata: { a: null } });
    expect(edited).toEqual({ ...created, name: 'Green', metadata: {} });
    expect(await client.callOk('PATCH', `/cards/${created.id}`, { name: 'Green' })).toEqual(edited);
    expect((await client.callOk('GET', '/cards')).data).toEqual([edited]);
    expect((await client.callOk('GET', '/cards?uid=04A1B2C3D4E5F6')).data).toEqual([edited]);
    expect((await client.callOk('GET', '/cards?uid=04a1b2c3d4e5f7')).data).toEqual([]);
    expect((await client.callOk('GET', '/cards?printed_code=LNT')).data).toEqual([]);
    const deleted = await client.callOk('DELETE', `/cards/${created.id}`);
    expect(deleted).toEqual({ ...edited, is_deleted: true });
    expect(await client.callOk('DELETE', `/cards/${created.id}`)).toEqual(deleted);
    expect(await client.callOk('GET', `/cards/${created.id}`)).toEqual(deleted);
    expect((await client.call('PATCH', `/cards/${created.id}`, { name: 'x' })).status).toBe(404);
    expect(await eventsOf(bridge(), client)).toEqual(
      ['create', 'edit', 'delete'].map(verb => `${verb} card ${created.id}`),
    );
    await client.callOk('POST', '/cards', { uid: '04a1b2c3d4e5f6' });
  });

  it('are rejected without a code, with an invalid UID, or with a code in use', async () => {
    const client = await bridge().newOrganization();
    await client.callOk('POST', '/cards', { uid: '00000001', printed_code: 'C-1' });
    for (const [body, field] of [
      [{ name: 'x' }, 'id'],
      [{ uid: '0000001' }, 'uid'],
      [{ uid: '0000000000' }, 'uid'],
      [{ uid: 'zzzzzzzz' }, 'uid'],
      [{ uid: '00000001' }, 'uid'],
      [{ printed_code: 'C-1' }, 'printed_code'],
      [{ uid: '00000002', printed_code: 'C-1' }, 'printed_code'],
      [{ id: 'crd_unknown' }, 'id'],
    ] as const) {
      const answer = await client.call('POST', '/cards', body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ type: 'invalid_request', args: { field } });
    }
    const stranger = await bridge().newOrganization();
    await stranger.callOk('POST', '/cards', { uid: '00000001', printed_code: 'C-1' });
  });

  it('are rejected with a random UID on every endpoint', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    for (const path of ['/cards', `/members/${member}/cards`]) {
      for (const uid of ['08112233', '08ABCDEF']) {
        const { status, body } = await client.call('POST', path, { uid });
        expect([status, body]).toEqual([
          400,
          {
            type: 'invalid_request',
            message: expect.stringMatching(/^The field 'uid' is random .* another uid at each tap\.$/),
            args: { field: 'uid' },
          },
        ]);
      }
    }
    expect((await client.callOk('GET', '/cards')).data).toEqual([]);
    for (const uid of ['08112233445566', '08112233445566778899', '00081122', '80112233', '07112233', '09112233']) {
      expect(await client.callOk('POST', `/members/${member}/cards`, { uid })).toMatchObject({ uid });
    }
  });

  it('are taken from the stock once, by id, printed code or UID', async () => {
    const client = await bridge().newOrganization();
    const stranger = await bridge().newOrganization();
    const byId = await createStockCard(bridge(), client, { uid: 'aaaaaa01' });
    expect((await client.get(`/cards/${byId.id}`)).status).toBe(404);
    const wrong = await client.call('POST', '/cards', { id: byId.id, uid: 'aaaaaa02' });
    expect(wrong.body).toMatchObject({ args: { field: 'uid' } });
    const taken = await client.callOk('POST', '/cards', { id: byId.id, name: 'Mine' });
    expect(taken).toMatchObject({ id: byId.id, uid: 'aaaaaa01', printed_code: byId.printed_code, name: 'Mine' });
    expect((await stranger.call('POST', '/cards', { id: byId.id })).body).toMatchObject({ args: { field: 'id' } });
    expect((await client.call('POST', '/cards', { id: byId.id })).status).toBe(400);

    const byCode = await createStockCard(bridge(), client);
    const filled = await client.callOk('POST', '/cards', { printed_code: byCode.printed_code, uid: 'AAAAAA03' });
    expect(filled).toMatchObject({ id: byCode.id, uid: 'aaaaaa03' });
    const byUid = await createStockCard(bridge(), client, { uid: 'aaaaaa04' });
    expect((await client.callOk('POST', '/cards', { uid: 'aaaaaa04' })).id).toBe(byUid.id);

    const duplicate = await createStockCard(bridge(), client, { uid: 'aaaaaa04' });
    const refused = await client.call('POST', '/cards', { printed_code: duplicate.printed_code });
    expect(refused).toMatchObject({ status: 400, body: { args: { field: 'uid' } } });
  });

  it('that no organization has received are taken only by printed code and UID together', async () => {
    const client = await bridge().newOrganization();
    const uid = bridge().services.storage.engine === 'sqlite' ? 'aaaaaa07' : 'aaaaaa08';
    const { id, printed_code } = await createStockCard(bridge(), null, { uid });
    for (const body of [{ id }, { id, uid }, { id, uid: 'aaaaaaff', printed_code }]) {
      expect(await client.call('POST', '/cards', body)).toMatchObject({ status: 400, body: { args: { field: 'id' } } });
    }
    expect((await client.callOk('POST', '/cards', { uid, printed_code })).id).toBe(id);
  });

  it('of another organization are refused like unknown ones', async () => {
    const [owner, stranger] = [await bridge().newOrganization(), await bridge().newOrganization()];
    const [free, taken] = [
      await createStockCard(bridge(), owner, { uid: 'aaaaaa05' }),
      await createStockCard(bridge(), owner, { uid: 'aaaaaa06' }),
    ];
    await owner.callOk('POST', '/cards', { id: taken.id });
    const refusal = async (id: string) => {
      const { status, body } = await stranger.call('POST', '/cards', { id });
      return [status, JSON.stringify(body).replaceAll(id, 'ID')];
    };
    const unknown = await refusal('crd_unknown');
    expect(unknown[0]).toBe(400);
    expect([await refusal(free.id), await refusal(taken.id)]).toEqual([unknown, unknown]);

    const memberCards = `/members/${await newMember(stranger)}/cards`;
    expect((await stranger.call('POST', memberCards, { printed_code: free.printed_code })).status).toBe(400);
    for (const { uid, printed_code } of [free, taken]) {
      const created = await stranger.callOk('POST', '/cards', { uid, printed_code });
      expect([free.id, taken.id]).not.toContain(created.id);
    }
    expect((await owner.callOk('POST', '/cards', { printed_code: free.printed_code })).id).toBe(free.id);
  });

  it('go to only one of two organizations that claim them concurrently', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => bridge().newOrganization()));
    const { id, uid, printed_code } = await createStockCard(bridge(), null, { uid: 'bbbbbb01' });
    const body = { id, uid, printed_code };
    const answers = await Promise.all(clients.map(client => client.call('POST', '/cards', body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  });
});

describeOnBothDatabases('member cards', bridge => {
  it('are created by card id, UID or printed code, exactly one of them', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    const path = `/members/${member}/cards`;
    const card = await client.callOk('POST', '/cards', { uid: '11111111', printed_code: 'P-1', name: 'Red' });
    const shown = { card_id: card.id, uid: '11111111', printed_code: 'P-1', name: 'Red' };
    for (const body of [{ card_id: card.id }, { uid: '11111111' }, { printed_code: 'P-1' }]) {
      const given = await client.callOk('POST', path, body);
      expect(given).toMatchObject({ id: expect.stringMatching(/^mc_/), member_id: member, ...shown });
      expect(await client.callOk('GET', `${path}/${given.id}`)).toEqual(given);
      expect(await client.callOk('DELETE', `${path}/${given.id}`)).toEqual({ ...given, is_deleted: true });
    }
    for (const body of [{}, { card_id: card.id, uid: '11111111' }]) {
      expect((await client.call('POST', path, body)).status).toBe(400);
    }
    expect((await client.call('POST', path, { card_id: 'crd_unknown' })).body).toMatchObject({
      args: { field: 'card_id' },
    });
    expect((await client.call('POST', path, { printed_code: 'P-2' })).body).toMatchObject({
      args: { field: 'printed_code' },
    });
    await client.callOk('DELETE', `/cards/${card.id}`);
    expect((await client.call('POST', path, { card_id: card.id })).status).toBe(400);
    const foreign = await (await bridge().newOrganization()).callOk('POST', '/cards', { uid: '11111112' });
    expect((await client.call('POST', path, { card_id: foreign.id })).body).toMatchObject({
      args: { field: 'card_id' },
    });
  });

  it('create the card of an unknown UID, with an event', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    const given = await client.callOk('POST', `/members/${member}/cards`, { uid: 'DEADBEEF' });
    const card = await client.callOk('GET', `/cards/${String(given['card_id'])}`);
    expect(card).toMatchObject({ uid: 'deadbeef', organization_id: client.organizationId });
    expect((await eventsOf(bridge(), client)).slice(-2)).toEqual([
      `create card ${card.id}`,
      `create member_card ${member} ${given.id} ${card.id}`,
    ]);
  });

  it('accept a stock card by its printed code', async () => {
    const client = await bridge().newOrganization();
    const stock = await createStockCard(bridge(), client, { uid: 'cccccc01' });
    const given = await client.callOk('POST', `/members/${await newMember(client)}/cards`, {
      printed_code: stock.printed_code,
    });
    expect(given).toMatchObject({ card_id: stock.id, uid: 'cccccc01', printed_code: stock.printed_code });
    expect((await client.callOk('GET', `/cards/${stock.id}`))['organization_id']).toBe(client.organizationId);
  });

  it('are rejected while another member has the card', async () => {
    const client = await bridge().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const held = await client.callOk('POST', `/members/${one}/cards`, { uid: '22222222' });
    const { printed_code } = await client.callOk('POST', '/cards', { uid: '22222223', printed_code: 'P-9' });
    await client.callOk('POST', `/members/${one}/cards`, { printed_code });
    for (const member of [one, other]) {
      for (const [field, value] of Object.entries({ uid: '22222222', card_id: held['card_id'], printed_code })) {
        const answer = await client.call('POST', `/members/${member}/cards`, { [field]: value });
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({ message: expect.stringContaining('already in use'), args: { field } });
      }
    }
    await client.callOk('DELETE', `/members/${one}/cards/${held.id}`);
    await client.callOk('POST', `/members/${other}/cards`, { uid: '22222222' });
  });

  it('prevent undeleting a member whose card another member has', async () => {
    const client = await bridge().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const held = await client.callOk('POST', `/members/${one}/cards`, { uid: '33333333' });
    await client.callOk('POST', `/members/${one}/pins`, { pin: '482913' });
    await client.callOk('DELETE', `/members/${one}`);
    const taken = await client.callOk('POST', `/members/${other}/cards`, { uid: '33333333' });
    const refused = await client.call('PATCH', `/members/${one}`, { is_deleted: false });
    expect(refused).toMatchObject({ status: 400, body: { args: { field: 'is_deleted' } } });
    expect(refused.body['message']).toContain(held.id);
    // The refused request reserves no digits.
    const pin = await client.callOk('POST', `/members/${other}/pins`, { pin: '482913' });
    await client.callOk('DELETE', `/members/${other}/pins/${pin.id}`);
    await client.callOk('DELETE', `/members/${other}/cards/${taken.id}`);
    await client.callOk('PATCH', `/members/${one}`, { is_deleted: false });
    expect((await client.call('POST', `/members/${other}/cards`, { uid: '33333333' })).status).toBe(400);
  });

  it('go to only one of several concurrent requests for the same card', async () => {
    const client = await bridge().newOrganization();
    const members = await Promise.all(Array.from({ length: 20 }, () => newMember(client)));
    const answers = await Promise.all(
      members.map(member => client.call('POST', `/members/${member}/cards`, { uid: '44444444' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await client.callOk('GET', '/cards')).data).toHaveLength(1);
  });

  it('are deleted with their card, with a controller change for the member', async () => {
    const client = await bridge().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const held = await client.callOk('POST', `/members/${one}/cards`, { uid: '55555555' });
    const before = (await accessChangesOf(bridge(), client)).length;
    await client.callOk('DELETE', `/cards/${String(held['card_id'])}`);
    expect((await accessChangesOf(bridge(), client)).slice(before)).toEqual([`member ${one}`]);
    expect(await client.callOk('GET', `/members/${one}/cards/${held.id}`)).toMatchObject({ is_deleted: true });
    const recreated = await client.callOk('POST', `/members/${other}/cards`, { uid: '55555555' });
    expect(recreated['card_id']).not.toBe(held['card_id']);
    await client.callOk('DELETE', `/members/${one}`);
    await client.callOk('PATCH', `/members/${one}`, { is_deleted: false });
  });

  it('are recorded in events that name the card', async () => {
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
