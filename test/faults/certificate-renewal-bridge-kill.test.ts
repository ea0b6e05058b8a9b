import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { requestCertificateRenewal } from '@lintel/device-link/identity/certificate-renewal-client';
import { type DeviceEnrollment, EnrollmentFile } from '@lintel/device-link/identity/device-enrollment';
import { loadOrCreateDeviceKeys } from '@lintel/device-link/identity/device-keys';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestBridge } from '../support/bridge/test-bridge.ts';
import { FirmwareSite } from '../support/devices/firmware-site.ts';
import { BridgeProcess } from '../support/processes/bridge-process.ts';

const POLL = { timeout: 60_000, interval: 20 };

let bridge: BridgeProcess;
let dataDir: string;
let deviceDir: string;
let deviceId: string;

beforeEach(async () => {
  const inProcess = await TestBridge.open({ clock: () => instant(Date.now()) });
  inProcess.now = instant(Date.now());
  const site = await FirmwareSite.open(inProcess);
  ({ dataDir: deviceDir, deviceId } = await site.claimController());
  ({ dataDir } = inProcess);
  await inProcess.bridge.close();
  bridge = new BridgeProcess(dataDir);
  await bridge.start();
});
afterEach(async () => {
  await bridge.kill();
  rmSync(dataDir, { recursive: true });
  rmSync(deviceDir, { recursive: true });
});

const enrollment = (): DeviceEnrollment => {
  const read = new EnrollmentFile(deviceDir).read();
  if (!read.ok || read.value === null) throw new Error('not claimed');
  return read.value;
};

const renewAt = (bridge_url: string): Promise<DeviceEnrollment> =>
  requestCertificateRenewal({ ...enrollment(), bridge_url }, loadOrCreateDeviceKeys(deviceDir), null, {
    now: Date.now(),
  });

const outcomeOf = (renewal: Promise<unknown>): Promise<'renewed' | 'failed'> =>
  renewal.then(
    () => 'renewed' as const,
    () => 'failed' as const,
  );

/** The certificates of the device that are not revoked, oldest first. */
const certificates = (): readonly string[] => {
  const database = new SqliteDatabase(join(dataDir, 'bridge.sqlite'), { readonly: true });
  const query = 'select serial from device_certificates where device_id = ? and revoked_at is null order by created_at';
  const rows = database.prepare<[string], { serial: string }>(query).all(deviceId);
  database.close();
  return rows.map(({ serial }) => serial);
};

/** Forwards requests and drops the answers. Resolves when a request has arrived. */
const dropAnswers = async (target: string) => {
  const arrived = Promise.withResolvers<void>();
  const server = createServer(socket => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const one of [socket, upstream]) one.on('error', () => undefined);
    upstream.resume().on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    socket.on('data', chunk => upstream.write(chunk, () => arrived.resolve()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: arrived.promise,
    close: () => server.close(),
  };
};

const expectOneRenewal = async (before: readonly string[]): Promise<void> => {
  await bridge.start();
  const renewed = await renewAt(await bridge.url);
  const again = await renewAt(await bridge.url);
  expect(again.serial).toBe(renewed.serial);
  expect(certificates()).toEqual([...before, renewed.serial]);
  expect(renewed.expires_at).toBeGreaterThan(Date.now());
};

describe('Bridge that is killed during a certificate renewal', { tags: ['slow'] }, () => {
  it('before the commit: issues one certificate when the controller asks again', async () => {
    const before = certificates();
    const link = await dropAnswers(await bridge.url);
    const lock = new SqliteDatabase(join(dataDir, 'bridge.sqlite'));
    lock.exec('begin immediate');
    const outcome = outcomeOf(renewAt(link.url));
    await link.arrived;
    await bridge.kill();
    expect(await outcome).toBe('failed');
    lock.exec('rollback');
    lock.close();
    link.close();
    expect(certificates()).toEqual(before);
    await expectOneRenewal(before);
  });

  it('after the commit and before the answer: returns the certificate that it has issued', async () => {
    const before = certificates();
    const link = await dropAnswers(await bridge.url);
    const outcome = outcomeOf(renewAt(link.url));
    await expect.poll(() => certificates().length, POLL).toBe(before.length + 1);
    await bridge.kill();
    expect(await outcome).toBe('failed');
    link.close();
    const [, issued] = certificates();
    await expectOneRenewal(before);
    expect(certificates()[1]).toBe(issued);
  });
});
