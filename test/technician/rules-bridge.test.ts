import { commissioningMade } from '@lintel/wire-protocol/technician/commissioning';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AdminClient, signedIn } from '../support/bridge/administration.ts';
import type { BridgeWorld } from '../support/bridge/bridge-world.ts';
import type { FirmwareDoor, FirmwareHotel } from '../support/devices/firmware-hotel.ts';
import { aDevice, aSite } from '../support/bridge/place.ts';
import { claimGateway, forgetGateway, startGateway } from '../support/devices/site-gateway.ts';
import { NO_LINE, TechnicianAtDoor } from '../support/technician/technician-at-door.ts';
import type { TechnicianClient } from '../support/technician/technician-client.ts';

let world: BridgeWorld;
let hotel: FirmwareHotel;
let front: FirmwareDoor;
let back: FirmwareDoor;
let tina: AdminClient;
let there: TechnicianAtDoor;
let client: TechnicianClient;

beforeEach(async () => {
  there = await TechnicianAtDoor.arrange();
  ({ hotel, door: front, tina } = there);
  ({ world } = hotel);
  back = await hotel.door();
});
afterEach(() => there.close());

const visit = async (url?: string): Promise<void> => {
  client = await there.visit(url);
  if (url !== NO_LINE) await front.caughtUp();
};

const rule = (code: string, gadget_id = front.gadgetId) => ({ code, gadget_id, action_id: 'open' });
const atDoor = () => there.rulesHere();
const rulesOf = (deviceId: string) => there.rulesAtDesk(deviceId);
const edit = async (...rules: readonly ReturnType<typeof rule>[]) => {
  const { status, text } = await client.ask('PUT', '/input_rules', { body: { input_rules: rules } });
  expect([status, text]).toEqual([200, expect.any(String)]);
};
const copy = (to: readonly string[], more: object = {}) =>
  client.ask('POST', '/input_rules/copy', { body: { to, ...more } });
const copies = async () => (await atDoor()).copies.map(({ device_id, state, reason }) => [device_id, state, reason]);
const settled = () =>
  hotel.until(
    async () => (await atDoor()).copies.every(({ state }) => state !== 'waiting'),
    () => `the bridge's word; log: ${front.logged.join('\n')}`,
  );
const eventsOf = (deviceId: string) => there.ownEvents(`object.device_id=${deviceId}&verb=edit`);

describe('what else there is at the site', () => {
  it('is learned while a technician looks, to copy rules to and to lead them to', async () => {
    await visit();
    await expect.poll(async () => (await atDoor()).site_devices).toEqual([{ id: back.deviceId, name: 'Front' }]);
    expect((await atDoor()).destinations).toMatchObject([
      { gadget_id: front.gadgetId, is_own: true },
      { gadget_id: back.gadgetId, device_id: back.deviceId, is_own: false, actions: [{ id: 'open' }, {}] },
    ]);
    await edit(rule(''), rule('*2', back.gadgetId));
    await expect.poll(() => rulesOf(front.deviceId)).toEqual([rule(''), rule('*2', back.gadgetId)]);
    await visit(NO_LINE);
    expect((await atDoor()).site_devices).toEqual([{ id: back.deviceId, name: 'Front' }]);
  });
});

describe('rules copied to other controllers', () => {
  it('are written there by the technician, with and without the gadgets in place of each other', async () => {
    await visit();
    await edit(rule('*1'));
    expect((await copy([back.deviceId])).status).toBe(202);
    await settled();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'copied', null]], [rule('*1')]]);
    await copy([back.deviceId], { own_gadgets: 'match' });
    await settled();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([
      [[back.deviceId, 'copied', null]],
      [rule('*1', back.gadgetId)],
    ]);
    expect(await eventsOf(back.deviceId)).toMatchObject([
      { verb: 'edit', object: { type: 'device', device_id: back.deviceId } },
      { verb: 'edit', object: { type: 'device', device_id: back.deviceId } },
    ]);
    await front.reported();
    expect((await eventsOf(front.deviceId)).map(({ reason }) => reason)).toContain('rules_copied');
  });

  it('wait for a line, over a restart too, and arrive once', async () => {
    await visit();
    await visit(NO_LINE);
    await edit(rule('*1'));
    await copy([back.deviceId]);
    expect(await copies()).toEqual([[back.deviceId, 'waiting', null]]);
    await visit(NO_LINE);
    expect(await copies()).toEqual([[back.deviceId, 'waiting', null]]);
    await visit();
    await settled();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'copied', null]], [rule('*1')]]);
    expect(await eventsOf(back.deviceId)).toHaveLength(1);
  });

  it('do not overwrite what the desk changed meanwhile, until they are asked for again', async () => {
    await visit();
    await visit(NO_LINE);
    await edit(rule('*1'));
    await copy([back.deviceId]);
    const desk = [rule('*9', back.gadgetId)];
    await tina.done('PUT', `/devices/${back.deviceId}/input_rules`, { input_rules: desk });
    await visit();
    await settled();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([
      [[back.deviceId, 'refused', 'changed_meanwhile']],
      desk,
    ]);
    await copy([back.deviceId]);
    await settled();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'copied', null]], [rule('*1')]]);
  });

  it('go nowhere else than within the site, and each refusal is told for itself', async () => {
    const elsewhere = await aSite(world, hotel.client, { name: 'Elsewhere' });
    const far = await aDevice(world, hotel.client, { site_id: elsewhere });
    const stranger = 'dev_01jx5m8z6q0000000000000009';
    await visit();
    await edit(rule('*1'));
    await copy([far.deviceId, stranger, back.deviceId]);
    await settled();
    expect(await copies()).toEqual([
      [far.deviceId, 'refused', 'not_of_this_site'],
      [stranger, 'refused', 'not_found'],
      [back.deviceId, 'copied', null],
    ]);
    expect(await rulesOf(far.deviceId)).toEqual([]);
  });

  it('need a technician who may, and whom the bridge knows', async () => {
    await visit();
    await edit(rule('*1'));
    await expect.poll(async () => (await atDoor()).pending).toBe(false);
    const owner = await signedIn(world, hotel.client.organizationId, 'owner');
    await owner.done('DELETE', `/users/${tina.userId}`);
    await copy([back.deviceId]);
    await settled();
    expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'refused', 'forbidden']], []]);
  });

  it('are those in force: none that is provisional, none of this device itself', async () => {
    await visit();
    const own = await copy([back.deviceId, front.deviceId]);
    expect([own.status, own.body['args']]).toEqual([400, { field: 'to.1' }]);
    expect((await copy([])).body['args']).toEqual({ field: 'to' });
    expect((await copy(['x'])).body['args']).toEqual({ field: 'to.0' });
    await client.ask('PUT', '/input_rules', { body: { input_rules: [rule('*1')], confirm_within_s: 60 } });
    expect((await copy([back.deviceId])).body['args']).toEqual({ reason: 'provisional' });
    await client.ask('POST', '/input_rules/confirm', { body: {} });
    expect((await copy([back.deviceId])).status).toBe(202);
  });

  it('come through a gateway', async () => {
    const gatewayDir = await claimGateway(world, hotel.client, hotel.siteId);
    const gateway = await startGateway(world, gatewayDir, hotel.url);
    try {
      await visit(gateway.addresses().mqtt);
      await edit(rule('*1'));
      await copy([back.deviceId]);
      await settled();
      expect([await copies(), await rulesOf(back.deviceId)]).toEqual([[[back.deviceId, 'copied', null]], [rule('*1')]]);
      await there.leave();
    } finally {
      await gateway.stop();
      forgetGateway(gatewayDir);
    }
  });
});

describe('in the log of the bridge', () => {
  it('a provisional edit is told apart, and the desk has it only when it is confirmed', async () => {
    await visit();
    const put = (code: string) =>
      client.ask('PUT', '/input_rules', { body: { input_rules: [rule(code)], confirm_within_s: 120 } });
    await put('*1');
    await client.ask('POST', '/input_rules/revert', { body: {} });
    await front.reported();
    expect(await rulesOf(front.deviceId)).toEqual([]);
    await put('*2');
    await client.ask('POST', '/input_rules/confirm', { body: {} });
    await expect.poll(() => rulesOf(front.deviceId)).toEqual([rule('*2')]);
    await front.reported();
    expect((await eventsOf(front.deviceId)).map(({ reason }) => reason)).toEqual(
      expect.arrayContaining(['rules_edited', 'rules_reverted', 'rules_confirmed', undefined]),
    );
  });

  it('what the commissioning PIN opens is the technician’s, by PIN, and says what it was', async () => {
    await visit();
    const { pin } = commissioningMade.parse(
      (await client.ask('POST', '/commissioning', { body: { kind: 'pin' } })).body,
    );
    front.running.keypad.press(String(pin));
    expect(front.isUnlocked).toBe(true);
    await client.ask('POST', '/input_rules/try', { body: { code: '', credential: { type: 'pin', pin: '99999999' } } });
    await front.reported();
    const [used] = await hotel.events(`verb=use&object.gadget_id=${front.gadgetId}`);
    expect(used).toMatchObject({
      object: { type: 'gadget_action', gadget_action_id: 'open' },
      subject: {
        user_id: tina.userId,
        access_method: 'pin',
        client: { detail: expect.stringMatching(/^commissioning/) },
      },
    });
    const [denied] = await hotel.events(`verb=deny&object.gadget_id=${front.gadgetId}`);
    expect(denied).toMatchObject({
      reason: 'unknown_credential',
      subject: { user_id: tina.userId, client: { detail: expect.stringMatching(/^try/) } },
    });
    expect((await eventsOf(front.deviceId)).map(({ reason }) => reason)).toContain('commissioning_made');
  });
});
