import { beforeAll, expect, it } from 'vitest';
import { type AdminClient, openAdminSession } from '../../support/bridge/admin-client.ts';
import { describeOnSqliteFirst } from '../../support/bridge/describe-on-both-databases.ts';
import { createTestDevice, createTestSite, door } from '../../support/bridge/site-fixtures.ts';
import { asWholeWord } from '../../support/as-whole-word.ts';

const lockable = { ...door, states: ['locked', 'unlocked'].map(id => ({ id, name: id })) };

describeOnSqliteFirst('POST /devices/{id}/keypad', bridge => {
  let owner: AdminClient;
  let deviceId: string;
  let frontId: string;
  let garageId: string;
  let memberId: string;

  const type = (keys: string) => owner.callOk('POST', `/devices/${deviceId}/keypad`, { keys });

  beforeAll(async () => {
    const client = await bridge().newOrganization();
    owner = await openAdminSession(bridge(), client.organizationId, 'owner');
    const site_id = await createTestSite(bridge(), client);
    const device = await createTestDevice(bridge(), client, {
      site_id,
      gadgets: [lockable, { ...lockable, name: 'Garage' }],
    });
    deviceId = device.deviceId;
    [frontId = '', garageId = ''] = device.gadgetIds;
    const input_rules = [
      { code: '', gadget_id: frontId, action_id: 'open' },
      { code: '#2', gadget_id: garageId, action_id: 'open' },
    ];
    const { body: current } = await owner.get(`/devices/${deviceId}/input_rules`);
    await owner.callOk('PUT', `/devices/${deviceId}/input_rules`, { input_rules, base: current['base'] });
    const group = await owner.callOk('POST', '/member_groups', {
      name: 'Front door',
      permissions: [{ gadget_id: frontId, access_methods: { pin: true } }],
    });
    memberId = (await owner.callOk('POST', '/members', { name: 'Ann' })).id;
    await owner.callOk('POST', `/members/${memberId}/group_associations`, { member_group_id: group.id });
    for (const pin of ['2580', '258099']) await owner.callOk('POST', `/members/${memberId}/pins`, { pin });
  });

  it('waits for more keys, as a keypad does', async () => {
    for (const keys of ['2', '258', '2580', '#', '#2', '#22'])
      expect([keys, (await type(keys))['outcome']]).toEqual([keys, 'incomplete']);
  });

  it('opens the door of the default rule and logs the member and the PIN', async () => {
    expect(await type('2580#')).toMatchObject({
      outcome: 'granted',
      reason: null,
      gadget_id: frontId,
      action_id: 'open',
    });
    expect(await type('258099')).toMatchObject({ outcome: 'granted' });
    expect((await owner.get(`/gadgets/${frontId}`)).body).toMatchObject({ state_id: 'unlocked' });
    const { body } = await owner.get(`/events?verb=use&object.gadget_id=${frontId}`);
    expect(body.data).toMatchObject([1, 2].map(() => ({ subject: { member_id: memberId, access_method: 'pin' } })));
    expect(JSON.stringify(body)).not.toMatch(asWholeWord('2580(99)?'));
  });

  it('selects a door by code and denies a member without permission', async () => {
    expect(await type('#22580#')).toMatchObject({ outcome: 'denied', reason: 'no_matching_rule', gadget_id: garageId });
  });

  it('denies an unknown PIN and logs the denial', async () => {
    expect(await type('1111#')).toMatchObject({ outcome: 'denied', reason: 'unknown_credential' });
    const { body } = await owner.get('/events?verb=deny&reason=unknown_credential');
    expect(body.data).toMatchObject([{ object: { gadget_id: frontId }, subject: { access_method: 'pin' } }]);
  });

  it('clears an entry with the star key', async () => {
    expect(await type('25*')).toMatchObject({ outcome: 'cleared' });
    expect(await type('*')).toMatchObject({ outcome: 'cleared' });
  });

  it('rejects other keys, controllers and roles that may not change gadgets', async () => {
    expect((await owner.call('POST', `/devices/${deviceId}/keypad`, { keys: '12a' })).status).toBe(400);
    const desk = await openAdminSession(bridge(), owner.organizationId, 'front_desk');
    expect((await desk.call('POST', `/devices/${deviceId}/keypad`, { keys: '2580#' })).status).toBe(403);
    await bridge()
      .services.storage.writer.updateTable('devices')
      .set({ hardware_id: 'hw_1' })
      .where('id', '=', deviceId)
      .execute();
    expect((await owner.call('POST', `/devices/${deviceId}/keypad`, { keys: '2580#' })).status).toBe(400);
  });
});
