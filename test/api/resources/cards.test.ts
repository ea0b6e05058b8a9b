import { expect, it } from 'vitest';
import type { BridgeWorld, OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { changesOf, eventsOf } from '../../support/devices/journal-of.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';

const newMember = async (client: OrganizationClient): Promise<string> => (await client.done('POST', '/members', {})).id;

let codes = 0;

/** A card that the maker has printed and nobody has yet. */
const inStock = async (world: BridgeWorld, known: { uid?: string; printed_code?: string } = {}) => {
  const { storage, newId } = world.bridge.services;
  const card = {
    id: newId('card'),
    organization_id: null,
    is_deleted: 0 as const,
    created_at: 0,
    metadata: '{}',
    name: null,
    uid: null,
    printed_code: `LNT-${++codes}`,
    ...known,
  };
  await storage.writer.insertInto('cards').values(card).execute();
  return card;
};

onBothEngines('cards', world => {
  it('are registered, edited and deleted, each with its event', async () => {
    const client = await world().newOrganization();
    const created = await client.done('POST', '/cards', { uid: '04A1B2C3D4E5F6', name: 'Blue', metadata: { a: '1' } });
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
    const edited = await client.done('PATCH', `/cards/${created.id}`, { name: 'Green', metadata: { a: null } });
    expect(edited).toEqual({ ...created, name: 'Green', metadata: {} });
    expect((await client.done('GET', '/cards')).data).toEqual([edited]);
    const deleted = await client.done('DELETE', `/cards/${created.id}`);
    expect(deleted).toEqual({ ...edited, is_deleted: true });
    expect(await client.done('DELETE', `/cards/${created.id}`)).toEqual(deleted);
    expect(await client.done('GET', `/cards/${created.id}`)).toEqual(deleted);
    expect((await client.call('PATCH', `/cards/${created.id}`, { name: 'x' })).status).toBe(404);
    expect(await eventsOf(world(), client)).toEqual(
      ['create', 'edit', 'delete'].map(verb => `${verb} card ${created.id}`),
    );
    await client.done('POST', '/cards', { uid: '04a1b2c3d4e5f6' });
  });

  it('are refused without a code, with a wrong UID, or with a code that is in use', async () => {
    const client = await world().newOrganization();
    await client.done('POST', '/cards', { uid: '00000001', printed_code: 'C-1' });
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
    const stranger = await world().newOrganization();
    await stranger.done('POST', '/cards', { uid: '00000001', printed_code: 'C-1' });
  });

  it('are refused with a UID that is made up anew at each tap, wherever one is given', async () => {
    const client = await world().newOrganization();
    const member = await newMember(client);
    for (const path of ['/cards', `/members/${member}/cards`]) {
      for (const uid of ['08112233', '08ABCDEF']) {
        const { status, body } = await client.call('POST', path, { uid });
        expect([status, body]).toEqual([
          400,
          {
            type: 'invalid_request',
            message: expect.stringMatching(/^uid is a random one .* another at each tap$/),
            args: { field: 'uid' },
          },
        ]);
      }
    }
    expect((await client.done('GET', '/cards')).data).toEqual([]);
    for (const uid of ['08112233445566', '08112233445566778899', '00081122', '80112233', '07112233', '09112233']) {
      expect(await client.done('POST', `/members/${member}/cards`, { uid })).toMatchObject({ uid });
    }
  });

  it('are taken from the stock by id, by printed code or by UID, once', async () => {
    const client = await world().newOrganization();
    const stranger = await world().newOrganization();
    const byId = await inStock(world(), { uid: 'aaaaaa01' });
    expect((await client.get(`/cards/${byId.id}`)).status).toBe(404);
    const wrong = await client.call('POST', '/cards', { id: byId.id, uid: 'aaaaaa02' });
    expect(wrong.body).toMatchObject({ args: { field: 'uid' } });
    const taken = await client.done('POST', '/cards', { id: byId.id, name: 'Mine' });
    expect(taken).toMatchObject({ id: byId.id, uid: 'aaaaaa01', printed_code: byId.printed_code, name: 'Mine' });
    expect((await stranger.call('POST', '/cards', { id: byId.id })).body).toMatchObject({ args: { field: 'id' } });
    expect((await client.call('POST', '/cards', { id: byId.id })).status).toBe(400);

    const byCode = await inStock(world());
    const filled = await client.done('POST', '/cards', { printed_code: byCode.printed_code, uid: 'AAAAAA03' });
    expect(filled).toMatchObject({ id: byCode.id, uid: 'aaaaaa03' });
    const byUid = await inStock(world(), { uid: 'aaaaaa04' });
    expect((await client.done('POST', '/cards', { uid: 'aaaaaa04' })).id).toBe(byUid.id);
  });

  it('go to one of two organizations that reach for the same', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => world().newOrganization()));
    const card = await inStock(world(), { uid: 'bbbbbb01' });
    const answers = await Promise.all(clients.map(client => client.call('POST', '/cards', { id: card.id })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5);
  });
});

onBothEngines('member cards', world => {
  it('are given by card, by UID or by printed code, exactly one of them', async () => {
    const client = await world().newOrganization();
    const member = await newMember(client);
    const path = `/members/${member}/cards`;
    const card = await client.done('POST', '/cards', { uid: '11111111', printed_code: 'P-1', name: 'Red' });
    const shown = { card_id: card.id, uid: '11111111', printed_code: 'P-1', name: 'Red' };
    for (const body of [{ card_id: card.id }, { uid: '11111111' }, { printed_code: 'P-1' }]) {
      const given = await client.done('POST', path, body);
      expect(given).toMatchObject({ id: expect.stringMatching(/^mc_/), member_id: member, ...shown });
      expect(await client.done('GET', `${path}/${given.id}`)).toEqual(given);
      expect(await client.done('DELETE', `${path}/${given.id}`)).toEqual({ ...given, is_deleted: true });
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
    await client.done('DELETE', `/cards/${card.id}`);
    expect((await client.call('POST', path, { card_id: card.id })).status).toBe(400);
  });

  it('make the card of a UID that nobody knows, and say so in the log', async () => {
    const client = await world().newOrganization();
    const member = await newMember(client);
    const given = await client.done('POST', `/members/${member}/cards`, { uid: 'DEADBEEF' });
    const card = await client.done('GET', `/cards/${String(given['card_id'])}`);
    expect(card).toMatchObject({ uid: 'deadbeef', organization_id: client.organizationId });
    expect((await eventsOf(world(), client)).slice(-2)).toEqual([
      `create card ${card.id}`,
      `create member_card ${member} ${given.id}`,
    ]);
  });

  it("take the maker's card by its printed code", async () => {
    const client = await world().newOrganization();
    const stock = await inStock(world(), { uid: 'cccccc01' });
    const given = await client.done('POST', `/members/${await newMember(client)}/cards`, {
      printed_code: stock.printed_code,
    });
    expect(given).toMatchObject({ card_id: stock.id, uid: 'cccccc01', printed_code: stock.printed_code });
    expect((await client.done('GET', `/cards/${stock.id}`))['organization_id']).toBe(client.organizationId);
  });

  it('are refused while another living member has the card', async () => {
    const client = await world().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const held = await client.done('POST', `/members/${one}/cards`, { uid: '22222222' });
    for (const member of [one, other]) {
      const answer = await client.call('POST', `/members/${member}/cards`, { uid: '22222222' });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ message: expect.stringContaining('already in use'), args: { field: 'uid' } });
    }
    await client.done('DELETE', `/members/${one}/cards/${held.id}`);
    await client.done('POST', `/members/${other}/cards`, { uid: '22222222' });
  });

  it('keep a deleted member deleted when somebody got its card meanwhile', async () => {
    const client = await world().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const held = await client.done('POST', `/members/${one}/cards`, { uid: '33333333' });
    await client.done('DELETE', `/members/${one}`);
    const taken = await client.done('POST', `/members/${other}/cards`, { uid: '33333333' });
    const refused = await client.call('PATCH', `/members/${one}`, { is_deleted: false });
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toContain(held.id);
    await client.done('DELETE', `/members/${other}/cards/${taken.id}`);
    await client.done('PATCH', `/members/${one}`, { is_deleted: false });
    expect((await client.call('POST', `/members/${other}/cards`, { uid: '33333333' })).status).toBe(400);
  });

  it('go to one of many who are given the same card at once', async () => {
    const client = await world().newOrganization();
    const members = await Promise.all(Array.from({ length: 20 }, () => newMember(client)));
    const answers = await Promise.all(
      members.map(member => client.call('POST', `/members/${member}/cards`, { uid: '44444444' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await client.done('GET', '/cards')).data).toHaveLength(1);
  });

  it('go with the card when it is deleted, and controllers learn of the member', async () => {
    const client = await world().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const held = await client.done('POST', `/members/${one}/cards`, { uid: '55555555' });
    const before = (await changesOf(world(), client)).length;
    await client.done('DELETE', `/cards/${String(held['card_id'])}`);
    expect((await changesOf(world(), client)).slice(before)).toEqual([`member ${one}`]);
    expect(await client.done('GET', `/members/${one}/cards/${held.id}`)).toMatchObject({ is_deleted: true });
    const anew = await client.done('POST', `/members/${other}/cards`, { uid: '55555555' });
    expect(anew['card_id']).not.toBe(held['card_id']);
    await client.done('DELETE', `/members/${one}`);
    await client.done('PATCH', `/members/${one}`, { is_deleted: false });
  });
});
