import type { IncomingMessage } from 'node:http';
import { type Instant, instant } from '@lintel/access-core/instant';
import { EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callAsOwner } from '../../support/bridge/admin-client.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';
import { FirmwareSite, type FirmwareController } from '../../support/devices/firmware-site.ts';

const NOW = instant(Date.parse('2026-06-01T10:00:00Z'));
const YEAR_MS = 365 * 86_400_000;

let bridge: TlsBridge;
let site: FirmwareSite;
let door: FirmwareController;
let changes = 0;
/** Requests for a renewal. */
let renewals = 0;

beforeAll(async () => {
  bridge = await TlsBridge.open(NOW);
  return () => bridge.close();
});
beforeEach(async () => {
  renewals = 0;
  bridge.bridge.now = NOW;
  site = await FirmwareSite.open(bridge.bridge, { url: bridge.mqtts });
  door = await site.claimController();
  await site.createMember(await site.createGroup(door.gadgetId), { pin: '2580' });
  door.start(null);
  await door.waitUntilSynced();
});
afterEach(() => {
  bridge.intercept = () => true;
  return site.close();
});

const enrollment = () => {
  const read = new EnrollmentFile(door.dataDir).read();
  if (!read.ok || read.value === null) throw new Error('not claimed');
  return read.value;
};

const isRenewal = ({ url = '' }: IncomingMessage): boolean => {
  const isOne = url.includes('renew');
  if (isOne) renewals += 1;
  return isOne;
};

const restart = async (system?: { now(): Instant; isSynchronized(): boolean }): Promise<void> => {
  await door.stop();
  door.start(null, system === undefined ? {} : { system });
};

/** A change arrives, and the door opens. */
const expectToServe = async (): Promise<void> => {
  const name = `Door ${++changes}`;
  await callAsOwner(bridge.bridge, site.client, 'PATCH', `/devices/${door.deviceId}`, { name });
  await door.waitUntilSynced();
  const before = door.recorded.filter(({ kind }) => kind === 'use').length;
  door.running.keypad.press('2580#');
  expect(door.recorded.filter(({ kind }) => kind === 'use')).toHaveLength(before + 1);
};

describe('certificate renewal under faults', () => {
  it('keeps the certificate while the link is cut, and renews it when the link is restored', async () => {
    const { serial, renew_after } = enrollment();
    bridge.bridge.now = instant(renew_after + 1_000);
    bridge.intercept = request => {
      if (!isRenewal(request)) return true;
      request.socket.destroy();
      return false;
    };
    await restart();
    await expect.poll(() => renewals).toBeGreaterThan(0);
    await expectToServe();
    expect(enrollment().serial).toBe(serial);
    bridge.intercept = () => true;
    await restart();
    await expect.poll(() => enrollment().serial).not.toBe(serial);
    await expectToServe();
  });

  it('renews it again when the bridge dies after it issued the certificate and before it answered', async () => {
    const { serial, renew_after } = enrollment();
    bridge.bridge.now = instant(renew_after + 1_000);
    let lost = 0;
    bridge.intercept = (request, response) => {
      if (isRenewal(request))
        response.end = () => {
          lost += 1;
          request.socket.destroy();
          return response;
        };
      return true;
    };
    await restart();
    await expect.poll(() => lost).toBeGreaterThan(0);
    expect(enrollment().serial).toBe(serial);
    // The old certificate must still be accepted, because the controller has no other one.
    await expectToServe();
    bridge.intercept = () => true;
    await restart();
    await expect.poll(() => enrollment().serial).not.toBe(serial);
    await expectToServe();
    expect(door.running.enrollment()?.serial).toBe(enrollment().serial);
  });

  it.each([
    ['ahead', 20 * YEAR_MS],
    ['behind', -20 * YEAR_MS],
  ])('ignores a system clock that is years %s', async (_, step) => {
    const { serial } = enrollment();
    bridge.intercept = request => {
      isRenewal(request);
      return true;
    };
    await restart({ now: () => instant(NOW + step), isSynchronized: () => true });
    await expectToServe();
    expect([renewals, enrollment().serial]).toEqual([0, serial]);
  });
});
