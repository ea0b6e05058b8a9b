import type { Message } from '@lintel/wire-protocol/mqtt/message-table';
import { expect, it } from 'vitest';
import { MemoryState } from '../../testing/memory-state.ts';
import { FakeBridge, UplinkWorld } from '../../testing/uplink-world.ts';
import { NOON } from '../../testing/door-world.ts';

const ack: Message<'ack'> = { v: 1, up_to: 0, event_ids: [] };

it('says hello first, with what it holds and a nonce of its own for each connection', async () => {
  const { bridge, door } = await UplinkWorld.open();
  bridge.connect();
  bridge.cut();
  bridge.connect();
  expect(bridge.said[0]?.kind).toBe('hello');
  const [first, second] = bridge.heard('hello');
  expect(first).toMatchObject({ serial: '01', product_id: 'virtual', slice: { revision: 1 } });
  expect(first!.digest_key_id).toBe(door.controller.digestKeyId);
  expect(second!.session_nonce).not.toBe(first!.session_nonce);
});

it('what was admitted before the power went is refused after it, and the bridge is told to go on above', async () => {
  const state = new MemoryState();
  const bridge = new FakeBridge();
  const { uplink } = await UplinkWorld.connected({ state, bridge });
  const replayed = bridge.frame('ack', ack);
  bridge.hand('ack', replayed);
  bridge.hand('ack', replayed);
  expect(uplink.status().dropped).toBe(1);
  const next = await UplinkWorld.open({ state, bridge });
  bridge.connect();
  bridge.hand('ack', replayed);
  expect(next.uplink.status().dropped).toBe(1);
  const { down_counter } = bridge.heard('hello').at(-1)!;
  bridge.say('ack', ack, { counter: down_counter + 1 });
  expect(next.uplink.status().dropped).toBe(1);
});

it('a new certificate has numbers of its own, and nothing bound to the old one is taken', async () => {
  const { bridge, uplink } = await UplinkWorld.connected();
  const old = bridge.frame('ack', ack);
  bridge.serial = '02';
  bridge.connect();
  expect(bridge.heard('hello').at(-1)).toMatchObject({ serial: '02', down_counter: 0 });
  bridge.hand('ack', old);
  expect(uplink.status().dropped).toBe(1);
  bridge.say('ack', ack, { counter: 1 });
  expect(uplink.status().dropped).toBe(1);
});

it('a number that stays out is a reason to ask', async () => {
  const world = await UplinkWorld.connected();
  const { bridge } = world;
  const late = bridge.frame('ack', ack);
  bridge.say('ack', ack);
  await world.pass(2_900);
  expect(bridge.heard('sync-request')).toEqual([]);
  await world.pass(200);
  expect(bridge.heard('sync-request')).toHaveLength(1);
  bridge.hand('ack', late);
  expect(world.uplink.status().dropped).toBe(0);
});

it('a number that was only overtaken is none', async () => {
  const world = await UplinkWorld.connected();
  const late = world.bridge.frame('ack', ack);
  world.bridge.say('ack', ack);
  world.bridge.hand('ack', late);
  await world.pass(10_000);
  expect(world.bridge.heard('sync-request')).toEqual([]);
});

it('believes the time of an answer that came at once, and not of one that somebody kept', async () => {
  const world = await UplinkWorld.open();
  const { bridge, door } = world;
  bridge.connect();
  await world.pass(11_000);
  bridge.sayTime({ time: (NOON + 86_400_000 * 365) as never });
  expect(door.time.now()).toBe(NOON + 11_000);
  expect(bridge.heard('time-request')).toHaveLength(1);
  await world.pass(100);
  bridge.sayTime({ time: (NOON + 86_400_000 * 365) as never });
  expect(door.time.now()).toBe(NOON + 86_400_000 * 365);
});

it('is never ahead of the bridge, however long connecting took', async () => {
  const { bridge, door, ...world } = await UplinkWorld.open();
  bridge.connect(() => door.clock.advance(4_000));
  bridge.sayTime({ time: NOON });
  expect(door.time.now()).toBe(NOON);
  expect(world.uplink.status().online).toBe(true);
});

it('takes no time from what the bridge says unasked, and asks instead', async () => {
  const world = await UplinkWorld.connected();
  const { bridge, door } = world;
  await world.pass(60_000);
  const before = door.time.now();
  bridge.say('time', { v: 1, nonce: bridge.nonce, time: 0 as never, revision: 1, revoke_counter: 0 });
  expect(door.time.now()).toBe(before);
  expect(bridge.heard('time-request')).toHaveLength(1);
});

it('asks for the time at once when the system clock is in doubt', async () => {
  const world = await UplinkWorld.connected();
  const { bridge, door } = world;
  door.system.step(12 * 3_600_000);
  await world.pass(2_000);
  expect(bridge.heard('time-request')).toHaveLength(1);
  bridge.sayTime({ time: (NOON + 2_000) as never, revision: 1 });
  expect(door.time.now()).toBe(NOON + 2_000);
  await world.pass(10_000);
  expect(door.time.now()).toBe(NOON + 12_000);
  expect(bridge.heard('time-request').length).toBeLessThan(3);
});

it('an old word of the bridge is no sign that it is there', async () => {
  const world = await UplinkWorld.connected();
  const contact = world.door.controller.lastContact;
  expect(contact).not.toBeNull();
  await world.pass(60_000);
  world.bridge.say('time', { v: 1, nonce: world.bridge.nonce, time: 0 as never, revision: 1, revoke_counter: 0 });
  expect(world.door.controller.lastContact).toBe(contact);
  world.answer();
  expect(world.door.controller.lastContact).toBeGreaterThan(contact!);
});

it('asks for the time now and then', async () => {
  const world = await UplinkWorld.connected();
  await world.pass(300_000);
  expect(world.bridge.heard('time-request')).toHaveLength(1);
});

it('gives up a connection at whose end nobody can answer for the bridge, and says so', async () => {
  const world = await UplinkWorld.open();
  world.bridge.connect();
  await world.pass(59_000);
  expect(world.bridge.reconnects).toBe(0);
  await world.pass(2_000);
  expect(world.bridge.reconnects).toBe(1);
  expect(world.faults()).toContain('bridge_silent');
  world.bridge.connect();
  world.answer({ nonce: world.bridge.nonce });
  expect(world.faults()).not.toContain('bridge_silent');
});

it('asks for what it was kept from, and tells of it when it does not come', async () => {
  const world = await UplinkWorld.connected();
  const { bridge } = world;
  await world.pass(300_000);
  bridge.sayTime({ time: world.door.time.now(), revision: 5, revoke_counter: 3 });
  await world.pass(1_900);
  expect(bridge.heard('sync-request')).toEqual([]);
  await world.pass(200);
  expect(bridge.heard('sync-request')).toHaveLength(1);
  for (let second = 0; second < 70; second++) await world.pass(1_000);
  expect(world.faults()).toContain('kept_behind');
  expect(bridge.heard('sync-request').length).toBeGreaterThan(2);
});

it('an acknowledgement tells it of a revocation that somebody kept, which it asks for until it comes', async () => {
  const world = await UplinkWorld.connected();
  const { bridge } = world;
  bridge.say('ack', { ...ack, revision: 5, revoke_counter: 1 });
  for (let second = 0; second < 20; second++) await world.pass(1_000);
  const asked = bridge.heard('sync-request').length + bridge.heard('hello').length - 1;
  expect(asked).toBeGreaterThanOrEqual(5);
  expect(asked).toBeLessThanOrEqual(10);
});

it('acknowledgements that come all the time do not put off the asking', async () => {
  const world = await UplinkWorld.connected();
  for (let turn = 0; turn < 40; turn++) {
    world.bridge.say('ack', { ...ack, revision: 5, revoke_counter: 1 });
    await world.pass(100);
  }
  expect(world.bridge.heard('sync-request').length).toBeGreaterThan(0);
});

it('an acknowledgement of a bridge that has no more revocations is no reason to ask', async () => {
  const world = await UplinkWorld.connected();
  world.bridge.say('ack', { ...ack, revision: 5, revoke_counter: 0 });
  await world.pass(40_000);
  expect(world.bridge.heard('sync-request')).toEqual([]);
});

it('a revocation that comes a moment after it was announced is not asked for', async () => {
  const world = await UplinkWorld.connected();
  const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
  world.bridge.say('ack', { ...ack, revision: 5, revoke_counter: 1 });
  await world.pass(500);
  world.bridge.say('revoke', { v: 1, revision: 5, member_ids: [], ...none }, { counter: 1 });
  await world.pass(10_000);
  expect(world.bridge.heard('sync-request')).toEqual([]);
});

it('is in no hurry when no revocation is missing: most changes concern other doors', async () => {
  const world = await UplinkWorld.connected();
  await world.pass(300_000);
  world.bridge.sayTime({ time: world.door.time.now(), revision: 5 });
  await world.pass(29_000);
  expect(world.bridge.heard('sync-request')).toEqual([]);
  await world.pass(2_000);
  expect(world.bridge.heard('sync-request')).toHaveLength(1);
});

it('while the gateway has no line it asks for nothing, and says hello again when it has', async () => {
  const world = await UplinkWorld.connected();
  const { bridge } = world;
  bridge.say('line', { v: 1, online: false });
  expect(world.uplink.status()).toMatchObject({ connected: true, online: false });
  await world.pass(3_600_000);
  expect(bridge.heard('time-request')).toEqual([]);
  expect(bridge.heard('sync-request')).toEqual([]);
  expect(bridge.reconnects).toBe(0);
  bridge.say('line', { v: 1, online: true });
  await world.pass(1);
  expect(bridge.heard('hello')).toHaveLength(2);
  world.answer();
  bridge.say('line', { v: 1, online: true });
  await world.pass(2_000);
  expect(bridge.heard('hello')).toHaveLength(2);
});

it('a line that comes and goes all the time costs one hello a second', async () => {
  const world = await UplinkWorld.connected();
  for (let turn = 0; turn < 100; turn++) {
    world.bridge.say('line', { v: 1, online: false });
    world.bridge.say('line', { v: 1, online: true });
    await world.pass(20);
  }
  expect(world.bridge.heard('hello').length).toBeLessThan(5);
});

it('says hello again when the bridge does not answer, because it may have been started anew', async () => {
  const world = await UplinkWorld.connected();
  await world.pass(300_000);
  await world.pass(20_000);
  expect(world.bridge.heard('hello')).toHaveLength(2);
  expect(world.bridge.reconnects).toBe(0);
});

it('keeps a word of revocation in force until a slice contains it, and asks for one when there are many', async () => {
  const world = await UplinkWorld.connected();
  const { bridge, door } = world;
  const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
  bridge.say('revoke', { v: 1, revision: 2, member_ids: ['mem_ann' as never], ...none }, { counter: 1 });
  door.press('2580');
  expect(door.isUnlocked).toBe(false);
  for (let counter = 2; counter <= 70; counter++)
    bridge.say('revoke', { v: 1, revision: 2 + counter, member_ids: ['mem_bob' as never], ...none }, { counter });
  await world.pass(10);
  expect(bridge.heard('sync-request').length).toBeGreaterThan(0);
});

it('a gap among the revocations is asked about', async () => {
  const world = await UplinkWorld.connected();
  const none = { member_pin_ids: [], member_card_ids: [], member_token_ids: [], member_group_association_ids: [] };
  world.bridge.say('revoke', { v: 1, revision: 3, member_ids: [], ...none }, { counter: 2 });
  await world.pass(2_100);
  expect(world.bridge.heard('sync-request')).toHaveLength(1);
});

it('tells how it is when it connects, when that changes, and every five minutes', async () => {
  const world = await UplinkWorld.connected();
  const { bridge, door } = world;
  expect(bridge.heard('status')).toMatchObject([{ mains_present: true, battery_present: null, faults: [] }]);
  door.reader.fail({ kind: 'absent', message: 'gone' });
  await world.pass(1_000);
  expect(bridge.heard('status').at(-1)!.faults).toMatchObject([{ code: 'reader:station-0' }]);
  const before = bridge.heard('status').length;
  for (let second = 0; second < 299; second++) await world.pass(1_000);
  expect(bridge.heard('status')).toHaveLength(before);
  await world.pass(2_000);
  expect(bridge.heard('status')).toHaveLength(before + 1);
});
