import { reservePins } from '@lintel/cloud-bridge/testing';
import { expect, it } from 'vitest';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { eventsOf } from '../../support/devices/organization-events-and-access-changes.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

const newMember = async (client: TestOrganizationClient): Promise<string> =>
  (await client.callOk('POST', '/members', {})).id;

const inUse = { type: 'invalid_request', message: expect.stringContaining('already in use'), args: { field: 'pin' } };

const fourDigits = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, '0'));

describeOnBothDatabases('PINs', bridge => {
  it('are generated in the requested length, with leading zeros', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    for (const length of [4, 6, 20]) {
      const created = await client.callOk('POST', `/members/${member}/pins`, { length });
      expect(created).toMatchObject({ length, pin: expect.stringMatching(new RegExp(`^\\d{${length}}$`)) });
    }
    const chosen = await client.callOk('POST', `/members/${member}/pins`, { pin: '0042' });
    expect(chosen).toMatchObject({ length: 4, pin: '0042' });
    expect((await client.callOk('POST', `/members/${member}/pins/${chosen.id}/reveal`, {}))['pin']).toBe('0042');
  });

  it('are rejected with the invalid field', async () => {
    const client = await bridge().newOrganization();
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

  it('are unique within the organization, and a chosen PIN may be a prefix of another', async () => {
    const client = await bridge().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    await client.callOk('POST', `/members/${one}/pins`, { pin: '2580' });
    const events = await eventsOf(bridge(), client);
    const refused = await client.call('POST', `/members/${other}/pins`, { pin: '2580' });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject(inUse);
    expect(await eventsOf(bridge(), client)).toEqual(events);
    await client.callOk('POST', `/members/${other}/pins`, { pin: '25801' });
    expect((await client.callOk('GET', `/members/${other}/pins`)).data).toHaveLength(1);
    const stranger = await bridge().newOrganization();
    await stranger.callOk('POST', `/members/${await newMember(stranger)}/pins`, { pin: '2580' });
  });

  it('release their digits when the PIN or the member is deleted', async () => {
    const client = await bridge().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const pin = await client.callOk('POST', `/members/${one}/pins`, { pin: '13579' });
    await client.callOk('DELETE', `/members/${one}/pins/${pin.id}`);
    await client.callOk('POST', `/members/${other}/pins`, { pin: '13579' });
    await client.callOk('DELETE', `/members/${one}/pins/${pin.id}`);
    expect((await client.call('POST', `/members/${one}/pins`, { pin: '13579' })).body).toMatchObject(inUse);
    await client.callOk('DELETE', `/members/${other}`);
    expect(await client.callOk('POST', `/members/${one}/pins`, { pin: '13579' })).toMatchObject({ pin: '13579' });
  });

  it('are restored with their member, unless another member has the digits', async () => {
    const client = await bridge().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const kept = await client.callOk('POST', `/members/${one}/pins`, { pin: '1111' });
    await client.callOk('POST', `/members/${one}/pins`, { pin: '2222' });
    await client.callOk('DELETE', `/members/${one}`);
    const taken = await client.callOk('POST', `/members/${other}/pins`, { pin: '1111' });
    const refused = await client.call('PATCH', `/members/${one}`, { is_deleted: false, name: 'Ann' });
    expect(refused.status).toBe(400);
    expect(refused.body['message']).toContain(kept.id);
    expect(await client.callOk('GET', `/members/${one}`)).toMatchObject({ is_deleted: true, name: '' });
    await client.callOk('POST', `/members/${other}/pins`, { pin: '2222' });

    await client.callOk('DELETE', `/members/${other}`);
    expect(await client.callOk('PATCH', `/members/${one}`, { is_deleted: false })).toMatchObject({ is_deleted: false });
    const late = await client.call('POST', `/members/${one}/pins`, { pin: '1111' });
    expect(late.body).toMatchObject(inUse);
    expect(taken.id).not.toBe(kept.id);
  });

  it('are not restored with their member if they were deleted before', async () => {
    const client = await bridge().newOrganization();
    const [one, other] = [await newMember(client), await newMember(client)];
    const pin = await client.callOk('POST', `/members/${one}/pins`, { pin: '864200' });
    await client.callOk('DELETE', `/members/${one}`);
    await client.callOk('DELETE', `/members/${one}/pins/${pin.id}`);
    await client.callOk('PATCH', `/members/${one}`, { is_deleted: false });
    expect(await client.callOk('POST', `/members/${other}/pins`, { pin: '864200' })).toMatchObject({ pin: '864200' });
  });

  it('go to exactly one of 50 concurrent requests for the same digits', async () => {
    const client = await bridge().newOrganization();
    const members = await Promise.all(Array.from({ length: 50 }, () => newMember(client)));
    const answers = await Promise.all(
      members.map(member => client.call('POST', `/members/${member}/pins`, { pin: '777777' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(49);
    for (const { body } of refused) expect(body).toMatchObject(inUse);
  });

  it('are distinct and prefix-free when generated concurrently', async () => {
    const client = await bridge().newOrganization();
    const member = await newMember(client);
    await reservePins(
      bridge().services,
      client.organizationId,
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

  it('include the last free one, and are rejected in every length when none is free', async () => {
    const client = await bridge().newOrganization();
    const path = `/members/${await newMember(client)}/pins`;
    await reservePins(
      bridge().services,
      client.organizationId,
      fourDigits.filter(code => code !== '0071'),
    );
    const last = await client.callOk('POST', path, { length: 4 });
    expect(last['pin']).toBe('0071');
    for (const length of [4, 5, 20]) {
      expect(await client.call('POST', path, { length })).toMatchObject({
        status: 400,
        body: {
          type: 'invalid_request',
          message: `The field 'length' must be another number: no PIN of ${length} digits is free.`,
          args: { field: 'length' },
        },
      });
    }

    await client.callOk('DELETE', `${path}/${last.id}`);
    for (const digit of '012345678') await client.callOk('POST', path, { pin: `0071${digit}` });
    expect((await client.call('POST', path, { length: 4 })).status).toBe(400);
    expect((await client.callOk('POST', path, { length: 7 }))['pin']).toMatch(/^00719\d\d$/);
    expect((await client.call('POST', path, { length: 5 })).status).toBe(400);
  });
});
