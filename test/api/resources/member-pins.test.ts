import { blindPin } from '@lintel/cloud-bridge/resources/pin-claims';
import { expect, it } from 'vitest';
import type { BridgeWorld, OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { eventsOf } from '../../support/devices/journal-of.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';

const newMember = async (client: OrganizationClient): Promise<string> => (await client.done('POST', '/members', {})).id;

const inUse = { type: 'invalid_request', message: expect.stringContaining('already in use'), args: { field: 'pin' } };

/** Takes the codes as the PINs of living members do, without making ten thousand of them. */
const claimAll = async (world: BridgeWorld, client: OrganizationClient, codes: readonly string[]): Promise<void> => {
  const { storage, masterKeys } = world.bridge.services;
  const keys = masterKeys.keys(masterKeys.currentVersion);
  const claims = codes.map(code => ({
    organization_id: client.organizationId,
    blind: blindPin(keys, client.organizationId, code),
    pin_id: `mp_${code}`,
  }));
  for (let from = 0; from < claims.length; from += 1000) {
    await storage.writer
      .insertInto('pin_claims')
      .values(claims.slice(from, from + 1000))
      .execute();
  }
};

const fourDigits = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, '0'));

onBothEngines('PINs', world => {
  it('are generated in the asked length, with their leading zeros', async () => {
    const client = await world().newOrganization();
    const member = await newMember(client);
    for (const length of [4, 6, 20]) {
      const created = await client.done('POST', `/members/${member}/pins`, { length });
      expect(created).toMatchObject({ length, pin: expect.stringMatching(new RegExp(`^\\d{${length}}$`)) });
    }
    const chosen = await client.done('POST', `/members/${member}/pins`, { pin: '0042' });
    expect(chosen).toMatchObject({ length: 4, pin: '0042' });
    expect((await client.done('POST', `/members/${member}/pins/${chosen.id}/reveal`, {}))['pin']).toBe('0042');
  });

  it('are refused with the field that is wrong', async () => {
    const client = await world().newOrganization();
    const path = `/members/${await newMember(client)}/pins`;
    const fieldOf = async (body: object) => (await client.call('POST', path, body)).body['args'];
    expect(await fieldOf({ length: 3 })).toEqual({ field: 'length' });
    expect(await fieldOf({ length: 21 })).toEqual({ field: 'length' });
    expect(await fieldOf({ length: '6' })).toEqual({ field: 'length' });
    expect(await fieldOf({ pin: '123' })).toEqual({ field: 'pin' });
    expect(await fieldOf({ pin: 1234 })).toEqual({ field: 'pin' });
    expect(await fieldOf({ pin: '12a4' })).toEqual({ field: 'pin' });
    expect(await fieldOf({ pin: '1234', length: 4 })).toHaveProperty('field');
    expect(await fieldOf({})).toHaveProperty('field');
  });

  it('are unique within the organization and may begin one another when chosen', async () => {
    const client = await world().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    await client.done('POST', `/members/${one}/pins`, { pin: '2580' });
    const events = await eventsOf(world(), client);
    const refused = await client.call('POST', `/members/${other}/pins`, { pin: '2580' });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(inUse);
    expect(await eventsOf(world(), client)).toEqual(events);
    await client.done('POST', `/members/${other}/pins`, { pin: '25801' });
    const stranger = await world().newOrganization();
    await stranger.done('POST', `/members/${await newMember(stranger)}/pins`, { pin: '2580' });
  });

  it('free their digits when they or their member are deleted', async () => {
    const client = await world().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const pin = await client.done('POST', `/members/${one}/pins`, { pin: '13579' });
    await client.done('DELETE', `/members/${one}/pins/${pin.id}`);
    await client.done('POST', `/members/${other}/pins`, { pin: '13579' });
    await client.done('DELETE', `/members/${other}`);
    expect(await client.done('POST', `/members/${one}/pins`, { pin: '13579' })).toMatchObject({ pin: '13579' });
  });

  it('come back with an undeleted member, unless somebody has the digits meanwhile', async () => {
    const client = await world().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const kept = await client.done('POST', `/members/${one}/pins`, { pin: '1111' });
    await client.done('POST', `/members/${one}/pins`, { pin: '2222' });
    await client.done('DELETE', `/members/${one}`);
    const taken = await client.done('POST', `/members/${other}/pins`, { pin: '1111' });
    const refused = await client.call('PATCH', `/members/${one}`, { is_deleted: false, name: 'Ann' });
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toContain(kept.id);
    expect(await client.done('GET', `/members/${one}`)).toMatchObject({ is_deleted: true, name: '' });
    await client.done('POST', `/members/${other}/pins`, { pin: '2222' });

    await client.done('DELETE', `/members/${other}`);
    expect(await client.done('PATCH', `/members/${one}`, { is_deleted: false })).toMatchObject({ is_deleted: false });
    const late = await client.call('POST', `/members/${one}/pins`, { pin: '1111' });
    expect(late.body).toMatchObject(inUse);
    expect(taken.id).not.toBe(kept.id);
  });

  it('stay free when they were deleted before their member came back', async () => {
    const client = await world().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const pin = await client.done('POST', `/members/${one}/pins`, { pin: '864200' });
    await client.done('DELETE', `/members/${one}`);
    await client.done('DELETE', `/members/${one}/pins/${pin.id}`);
    await client.done('PATCH', `/members/${one}`, { is_deleted: false });
    expect(await client.done('POST', `/members/${other}/pins`, { pin: '864200' })).toMatchObject({ pin: '864200' });
  });

  it('go to exactly one of fifty who choose the same at once', async () => {
    const client = await world().newOrganization();
    const members = await Promise.all(Array.from({ length: 50 }, () => newMember(client)));
    const answers = await Promise.all(
      members.map(member => client.call('POST', `/members/${member}/pins`, { pin: '777777' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(49);
    for (const { body } of refused) expect(body).toMatchObject(inUse);
  });

  it('are distinct when many are generated at once, and none begins another', async () => {
    const client = await world().newOrganization();
    const member = await newMember(client);
    await claimAll(
      world(),
      client,
      fourDigits.filter(code => !code.startsWith('1')),
    );
    const lengths = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 4 : 5));
    const answers = await Promise.all(
      lengths.map(length => client.call('POST', `/members/${member}/pins`, { length })),
    );
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => String(body['pin']));
    expect(made).toHaveLength(100);
    expect(made.every(pin => pin.startsWith('1'))).toBe(true);
    expect(made.flatMap(pin => made.filter(other => other !== pin && other.startsWith(pin)))).toEqual([]);
    expect(new Set(made).size).toBe(made.length);
  });

  it('are refused in every length when all four-digit ones are taken', async () => {
    const client = await world().newOrganization();
    const path = `/members/${await newMember(client)}/pins`;
    await claimAll(world(), client, fourDigits);
    for (const length of [4, 5, 20]) {
      const answer = await client.call('POST', path, { length });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        type: 'invalid_request',
        message: `No PIN of ${length} digits is free`,
        args: { field: 'length' },
      });
    }
  });

  it('find the last free code among ten thousand, and the last below a PIN that is begun', async () => {
    const client = await world().newOrganization();
    const path = `/members/${await newMember(client)}/pins`;
    await claimAll(
      world(),
      client,
      fourDigits.filter(code => code !== '0071'),
    );
    const last = await client.done('POST', path, { length: 4 });
    expect(last['pin']).toBe('0071');
    await client.done('DELETE', `${path}/${last.id}`);
    for (const digit of '012345678') await client.done('POST', path, { pin: `0071${digit}` });
    expect((await client.call('POST', path, { length: 4 })).status).toBe(400);
    expect((await client.done('POST', path, { length: 7 }))['pin']).toMatch(/^00719\d\d$/);
    expect((await client.call('POST', path, { length: 5 })).status).toBe(400);
  });
});
