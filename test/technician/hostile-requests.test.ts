import { generateKeyPairSync, sign } from 'node:crypto';
import type { RunningTechnician } from '@lintel/device-runtime/technician/start';
import { encodeMessage } from '@lintel/wire-protocol/mqtt/message-codec';
import { encodeFrame } from '@lintel/wire-protocol/mqtt/signed-frame';
import { downTopic, upTopic } from '@lintel/wire-protocol/mqtt/topics';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { signedIn } from '../support/bridge/administration.ts';
import { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { FarTechnician, servePage } from '../support/technician/far-technician.ts';
import { type FirmwareDoor, FirmwareHotel } from '../support/devices/firmware-hotel.ts';
import { HostileBroker } from '../support/devices/hostile-broker.ts';

const DEADLINE_MS = 500;
/** Beyond the deadline and the way. */
const TOO_LATE_MS = 2_000;

let broker: HostileBroker;
let world: BridgeWorld;
let hotel: FirmwareHotel;
let door: FirmwareDoor;
let page: RunningTechnician;
let far: FarTechnician;

beforeAll(async () => {
  broker = await HostileBroker.start();
  world = await BridgeWorld.open({ isTicking: true, mqttUrl: broker.url, actionDeadlineMs: DEADLINE_MS });
});
afterAll(async () => {
  await world.close();
  await broker.close();
});
beforeEach(async () => {
  broker.forget();
  hotel = await FirmwareHotel.open(world, { url: broker.url });
  door = await hotel.door();
  far = new FarTechnician(await signedIn(world, hotel.client.organizationId, 'owner'), door.deviceId);
  door.start();
  page = await servePage(door);
  await door.caughtUp();
});
afterEach(async () => {
  await page.stop();
  await hotel.close();
});

const opens = () => far.ask('POST', `/gadgets/${door.gadgetId}/actions/open`, {});
const used = (): number => door.recorded.filter(({ kind }) => kind === 'use').length;
/** Whatever was said before has been heard. */
const heard = async (): Promise<void> => {
  broker.passAll();
  await expect.poll(async () => (await far.ask('GET', '/status')).status, { timeout: 10_000 }).toBe(200);
};

it('a request that is repeated does nothing a second time, in its session and in the next', async () => {
  expect((await opens()).status).toBe(200);
  const requests = broker.of('technician');
  await broker.sayAgain(requests);
  await heard();
  await page.stop();
  await door.stop();
  door.start();
  page = await servePage(door);
  await heard();
  await broker.sayAgain(requests);
  await heard();
  expect(used()).toBe(1);
});

it('a request that was held back beyond its deadline does nothing', async () => {
  await heard();
  broker.withhold('technician');
  expect((await opens()).status).toBe(503);
  const kept = broker.of('technician').slice(-1);
  await new Promise(resolve => {
    setTimeout(resolve, TOO_LATE_MS);
  });
  broker.passAll();
  await broker.sayAgain(kept);
  await heard();
  expect(used()).toBe(0);
});

it('a request that the organization has not signed is not heard', async () => {
  const attacker = generateKeyPairSync('ed25519').privateKey;
  const { serial } = door.running.membership()!;
  const nonce = 'AAECAwQFBgcICQoLDA0ODw';
  const asked = { request_id: 'x', session_nonce: nonce, deadline_ms: 5_000, user_id: null, method: 'POST' } as const;
  const message = {
    v: 1,
    sent_at: world.now,
    ...asked,
    path: `/gadgets/${door.gadgetId}/actions/open`,
    body: '{}',
  } as const;
  const header = { v: 1, kind: 'technician', signer: hotel.client.organizationId, audience: door.deviceId } as const;
  const frame = encodeFrame(
    { ...header, serial, counter: 100_000, encoding: 'identity' },
    encodeMessage('technician', message),
    bytes => sign(null, bytes, attacker),
  );
  const { dropped } = door.running.upstream()!;
  await broker.say(downTopic(door.deviceId as never, 'technician'), frame);
  await expect.poll(() => door.running.upstream()!.dropped).toBe(dropped + 1);
  expect(used()).toBe(0);
});

it('an answer that the controller has not signed is not believed', async () => {
  broker.withhold('technician-answer');
  const before = broker.of('technician-answer').length;
  const asked = far.ask('GET', '/health');
  await expect.poll(() => broker.of('technician-answer').length).toBeGreaterThan(before);
  const [real] = broker.of('technician-answer').slice(-1);
  broker.passAll();
  const changed = Buffer.from(real!.payload);
  const at = changed.length - 40;
  changed[at] = changed[at]! ^ 1;
  await broker.say(upTopic(door.deviceId as never, 'technician-answer'), changed);
  expect((await asked).status).toBe(503);
});

it('what happened is told once, however often the broker says it', async () => {
  const url = await world.bridge.listen('127.0.0.1', 0);
  const live = await far.live(url);
  door.running.reader.tap('04a1b2c3d4e5f6');
  await expect.poll(() => live.said.some(({ type }) => type === 'card')).toBe(true);
  await broker.sayAgain(broker.of('technician-live'));
  door.running.keypad.press('1');
  await expect.poll(() => live.said.some(({ type }) => type === 'key')).toBe(true);
  expect(live.said.filter(({ type }) => type === 'card')).toHaveLength(1);
  live.stop();
});
