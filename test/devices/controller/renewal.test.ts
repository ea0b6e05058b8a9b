import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { editDevice } from '@lintel/cloud-bridge/resources/devices';
import { MembershipFile } from '@lintel/device-link/identity/membership';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FirmwareHotel, type FirmwareDoor } from '../../support/devices/firmware-hotel.ts';
import { administer } from '../../support/bridge/place.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';

const NOW = instant(Date.parse('2026-06-01T10:00:00Z'));

let bridge: TlsBridge;
let hotel: FirmwareHotel;
let door: FirmwareDoor;
beforeEach(async () => {
  bridge = await TlsBridge.open(NOW);
  hotel = await FirmwareHotel.open(bridge.world, { url: bridge.mqtts });
  door = await hotel.door();
  await hotel.member(await hotel.group(door.gadgetId), { pin: '2580' });
  door.start(null);
  await door.caughtUp();
});
afterEach(async () => {
  await hotel.close();
  await bridge.close();
});

const membership = () => {
  const read = new MembershipFile(door.dataDir).read();
  if (!read.ok || read.value === null) throw new Error('not claimed');
  return read.value;
};
const opens = (): boolean => {
  door.running.keypad.press('2580#');
  return door.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny')?.kind === 'use';
};

it('speaks mutual TLS with the brokers that claiming named', () => {
  expect(door.running.upstream()).toMatchObject({ connected: true, via: bridge.mqtts });
  expect(opens()).toBe(true);
});

it('has its next certificate in time, and goes on with it under numbers of its own', async () => {
  const { serial, renew_after } = membership();
  bridge.world.now = instant(renew_after + 1000);
  await door.stop();
  door.start(null);
  await hotel.until(
    () => membership().serial !== serial,
    () => `a new certificate; ${door.logged.join('\n')}`,
  );
  await door.caughtUp();
  await administer(bridge.world, hotel.client, context => editDevice(context, door.deviceId, { name: 'Renamed' }));
  await door.caughtUp();
  expect(opens()).toBe(true);
  expect(door.running.membership()?.serial).toBe(membership().serial);
}, 30_000);

it.each([
  ['its digest key', ['digest.key']],
  ['its digest key and all its notes', ['digest.key', 'state']],
])(
  'a controller that has lost %s tells the bridge the new one, and knows everybody again',
  async (_what, lost) => {
    await door.stop();
    for (const name of lost) rmSync(join(door.dataDir, name), { recursive: true });
    door.start(null);
    expect(opens()).toBe(false);
    await hotel.until(
      () => door.running.controller.heldSlice !== null,
      () => `a slice for the new key; ${door.logged.join('\n')}`,
    );
    expect(opens()).toBe(true);
  },
  30_000,
);

it('a controller that has lost its own key says that it must be claimed again, and the door still works', async () => {
  await door.stop();
  rmSync(join(door.dataDir, 'identity', 'key.pem'));
  door.start(null);
  const faults = (): readonly { readonly code: string; readonly message: string }[] => door.running.controller.faults();
  expect(faults().find(({ code }) => code === 'identity')?.message).toMatch(/must be claimed again/);
  expect(door.running.upstream()?.connected).toBe(false);
  expect(opens()).toBe(true);
});
