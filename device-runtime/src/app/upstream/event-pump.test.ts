import { beforeEach, expect, it } from 'vitest';
import { UplinkWorld } from '../../testing/uplink-world.ts';

let world: UplinkWorld;
beforeEach(async () => {
  world = await UplinkWorld.connected();
});

const sent = (): number[][] => world.bridge.heard('events').map(({ events }) => events.map(({ sequence }) => sequence));
const tap = async (uid = '04a1b2c3'): Promise<void> => {
  world.door.reader.tap(uid);
  await world.settled();
};

it('sends what happened at once, and keeps it until the bridge says that it is committed', async () => {
  await tap();
  const sequences = sent().flat();
  expect(sequences.length).toBeGreaterThan(0);
  expect(world.door.controller.waitingEvents()).toBe(sequences.length);
  world.bridge.say('ack', { v: 1, up_to: Math.max(...sequences), event_ids: [] });
  expect(world.door.controller.waitingEvents()).toBe(0);
});

it('sends again what was not acknowledged, more and more rarely', async () => {
  await tap('0badc0de');
  await world.pass(29_000);
  expect(sent()).toHaveLength(1);
  await world.pass(1_100);
  expect(sent()).toEqual([[1], [1]]);
  await world.pass(59_000);
  expect(sent()).toHaveLength(2);
  await world.pass(1_100);
  expect(sent()).toHaveLength(3);
});

it('sends everything again on a new connection, in its order', async () => {
  await tap('0badc0de');
  world.bridge.cut();
  await tap('0badc0df');
  world.bridge.connect();
  await world.settled();
  expect(sent()).toEqual([[1], [1, 2]]);
});

it('does not send again while only the gateway is there, which keeps it', async () => {
  world.bridge.say('line', { v: 1, online: false });
  await tap('0badc0de');
  expect(sent()).toEqual([[1]]);
  await world.pass(3_600_000);
  expect(sent()).toHaveLength(1);
});

it('goes on with what comes after a batch that found no line', async () => {
  world.bridge.isReachable = false;
  await tap('0badc0de');
  world.bridge.isReachable = true;
  await world.pass(30_100);
  expect(sent()).toEqual([[1]]);
});
