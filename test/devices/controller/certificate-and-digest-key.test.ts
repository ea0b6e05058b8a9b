import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FirmwareSite, type FirmwareController } from '../../support/devices/firmware-site.ts';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';

const NOW = instant(Date.parse('2026-06-01T10:00:00Z'));

let bridge: TlsBridge;
let site: FirmwareSite;
let door: FirmwareController;
beforeAll(async () => {
  bridge = await TlsBridge.open(NOW);
  return () => bridge.close();
});
beforeEach(async () => {
  bridge.bridge.now = NOW;
  site = await FirmwareSite.open(bridge.bridge, { url: bridge.mqtts });
  door = await site.claimController();
  await site.createMember(await site.createGroup(door.gadgetId), { pin: '2580' });
  door.start(null);
  await door.waitUntilSynced();
});
afterEach(() => site.close());

const membership = () => {
  const read = new EnrollmentFile(door.dataDir).read();
  if (!read.ok || read.value === null) throw new Error('not claimed');
  return read.value;
};
const typePin = (): 'use' | 'deny' | undefined => {
  door.running.keypad.press('2580#');
  const decision = door.recorded.findLast(({ kind }) => kind === 'use' || kind === 'deny');
  return decision?.kind as 'use' | 'deny' | undefined;
};

describe('firmware identity', () => {
  it('connects with mutual TLS to the brokers from the claim response', () => {
    expect(door.running.upstream()).toMatchObject({ connected: true, via: bridge.mqtts });
    expect(typePin()).toBe('use');
  });

  it('renews its certificate, and the new one starts with fresh message counters', async () => {
    const { serial, renew_after } = membership();
    bridge.bridge.now = instant(renew_after + 1000);
    await door.stop();
    door.start(null);
    await expect.poll(() => membership().serial).not.toBe(serial);
    await door.waitUntilSynced();
    await callAsOwner(bridge.bridge, site.client, 'PATCH', `/devices/${door.deviceId}`, { name: 'Renamed' });
    await door.waitUntilSynced();
    expect(typePin()).toBe('use');
    expect(door.running.enrollment()?.serial).toBe(membership().serial);
  });

  it.each([
    ['its digest key', ['digest.key']],
    ['its digest key and state', ['digest.key', 'state']],
  ])('sends the bridge a new digest key after %s is lost, and gets a new snapshot', async (_, lost) => {
    await door.stop();
    for (const name of lost) rmSync(join(door.dataDir, name), { recursive: true });
    door.start(null);
    expect(typePin()).toBe('deny');
    await expect.poll(() => door.running.controller.storedSnapshot).not.toBeNull();
    // The fault is cleared when the stored snapshot is in use.
    const faults = () => door.running.controller.faults().map(({ code }) => code);
    await expect.poll(faults).not.toContain('digest_key_changed');
    expect(typePin()).toBe('use');
  });

  it('reports that it must be claimed again after its private key is lost, and the door still works', async () => {
    await door.stop();
    const key = join(door.dataDir, 'identity', 'key.pem');
    rmSync(key);
    door.start(null);
    const faults = (): readonly { readonly code: string; readonly message: string }[] =>
      door.running.controller.faults();
    expect(faults().find(({ code }) => code === 'identity')?.message).toMatch(
      /key\.pem is missing.* claim the device again/,
    );
    expect(existsSync(key)).toBe(false);
    expect(door.running.upstream()?.connected).toBe(false);
    expect(typePin()).toBe('use');
  });
});
