import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { idSource } from '@lintel/access-core/ids';
import { EventBuffer } from '@lintel/device-runtime/adapters/sqlite/event-buffer';
import { decodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BridgeWorld } from '../../support/bridge/bridge-world.ts';
import { aCrowd } from '../../support/devices/crowd.ts';
import { FirmwareHotel, type FirmwareDoor } from '../../support/devices/firmware-hotel.ts';
import { HostileBroker } from '../../support/devices/hostile-broker.ts';

let broker: HostileBroker;
let world: BridgeWorld;
let hotel: FirmwareHotel;
let door: FirmwareDoor;
let group: string;
beforeEach(async () => {
  broker = await HostileBroker.start();
  world = await BridgeWorld.open({ isTicking: true, mqttUrl: broker.url });
  hotel = await FirmwareHotel.open(world, { url: broker.url });
  door = await hotel.door();
  group = await hotel.group(door.gadgetId);
});
afterEach(async () => {
  await hotel.close();
  await world.close();
  await broker.close();
});

const chunkOf = (payload: Uint8Array): string => {
  const frame = decodeFrame(payload);
  if (!frame.ok) throw new Error('no frame');
  const { body, header } = frame.value;
  const text = header.encoding === 'gzip' ? gunzipSync(body) : Buffer.from(body);
  const { to, chunk } = JSON.parse(text.toString()) as { to: number; chunk: number };
  return `${to} ${chunk}`;
};

it('a transfer that was cut off by a restart goes on where it was, and nothing of it is sent twice', async () => {
  await aCrowd(world, hotel.client, group, 12_500);
  await hotel.member(group, { pin: '2580' });
  broker.withhold('sync-request');
  door.start();
  await hotel.until(
    () => broker.of('slice').length === 8 && door.running.controller.transferUnderWay?.next_chunk === 8,
    () => 'the first group',
  );
  await door.stop();
  broker.passAll();
  door.start();
  await door.caughtUp();
  door.running.keypad.press('2580');
  expect(door.isUnlocked).toBe(true);
  const sent = broker.of('slice').map(({ payload }) => chunkOf(payload));
  expect(sent.length).toBeGreaterThan(8);
  expect(new Set(sent).size).toBe(sent.length);
}, 60_000);

it('a bridge that was started anew behind its broker goes on with the controllers that it had', async () => {
  door.start();
  await door.caughtUp();
  const { dataDir, now } = world;
  await world.bridge.close();
  world = await BridgeWorld.open({ isTicking: true, mqttUrl: broker.url, dataDir });
  world.now = now;
  const hellos = broker.of('hello').length;
  const client = await world.newApplication(hotel.client.organizationId);
  const { id } = await client.done('POST', '/members', { name: 'Ann' });
  await client.done('POST', `/members/${id}/pins`, { pin: '2580' });
  await client.done('POST', `/members/${id}/group_associations`, { member_group_id: group });
  const revision = await hotel.revision(world);
  await hotel.until(
    () => (door.running.controller.heldSlice?.revision ?? -1) >= revision,
    () => `the change; ${door.logged.join('\n')}`,
  );
  door.running.keypad.press('2580');
  expect(door.isUnlocked).toBe(true);
  expect(broker.of('hello')).toHaveLength(hellos);
  expect(world.bridge.devices.droppedMessages).toBe(0);
}, 20_000);

it('a backlog goes up in pieces, with no more under way than was set, and each event once', async () => {
  const BACKLOG = 20_000;
  const newId = idSource(() => world.now, randomBytes);
  const events = new EventBuffer({
    file: join(door.dataDir, 'events.db'),
    remembered: () => ({ ceiling: 0, confirmed: 0 }),
  });
  for (let from = 1; from <= BACKLOG; from += 500) {
    const some = Array.from({ length: 500 }, (_, index) => ({
      id: newId('event'),
      sequence: from + index,
      kind: 'deny' as const,
      reason: 'unknown_credential' as const,
      occurred_at: world.now,
      time_trusted: true,
    }));
    events.append(some);
  }
  events.close();
  door.start();
  let most = 0;
  await hotel.until(
    () => {
      most = Math.max(most, door.running.controller.lanes.underWay);
      return door.isOnline && door.running.controller.waitingEvents() === 0;
    },
    () => `all events; ${door.running.controller.waitingEvents()} wait`,
    60_000,
  );
  expect(most).toBeLessThanOrEqual(5_000);
  const { count } = await world.bridge.services.storage.reader
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', hotel.client.organizationId)
    .where('verb', '=', 'deny')
    .executeTakeFirstOrThrow();
  expect(count).toBe(BACKLOG);
}, 90_000);

it('what happens during a catch-up does not wait for its end', async () => {
  await hotel.member(group, { uid: '04a1b2c3d4e5f6' });
  door.start();
  await door.caughtUp();
  await door.stop();
  door.start('mqtt://127.0.0.1:1');
  for (let tap = 0; tap < 3_000; tap++) door.running.reader.tap('0badc0de');
  await door.stop();
  door.start();
  await hotel.until(
    () => door.isOnline,
    () => 'the line',
  );
  door.running.reader.tap('04a1b2c3d4e5f6');
  await door.reported();
  const order = await hotel.events('', 'recorded_at');
  const place = order.findIndex(({ verb }) => verb === 'use');
  expect(place).toBeGreaterThan(0);
  expect(place).toBeLessThan(order.length - 1_000);
}, 60_000);
