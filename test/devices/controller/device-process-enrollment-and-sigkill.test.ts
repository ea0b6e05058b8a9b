import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { instant } from '@lintel/access-core/instant';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminWithToken } from '../../support/bridge/admin-client.ts';
import { createTestSite } from '../../support/bridge/site-fixtures.ts';
import type { TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { TlsBridge } from '../../support/bridge/tls-bridge.ts';
import { issueTicket } from '../../support/devices/controller-identity.ts';
import { FaultyTcpProxy } from '../../support/faults/faulty-tcp-proxy.ts';
import { DeviceProcess } from '../../support/processes/device-process.ts';
import { runLintel } from '../../support/processes/lintel-command.ts';

const laptop = join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json');

describe('lintel device', () => {
  let bridge: TlsBridge;
  let client: TestOrganizationClient;
  let siteId: string;
  let folder: string;
  let device: DeviceProcess | null;

  beforeAll(async () => {
    bridge = await TlsBridge.open(instant(Date.now()));
    return () => bridge.close();
  });

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lintel-controller-process-'));
    device = null;
    client = await bridge.bridge.newOrganization();
    siteId = await createTestSite(bridge.bridge, client);
  });

  afterEach(async () => {
    await device?.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const enroll = async (): Promise<string> => {
    const { code } = await issueTicket(bridge.bridge, client, { site_id: siteId as never });
    const authority = ['--bridge', bridge.url, '--ca-fingerprint', bridge.fingerprint];
    const call = ['--data', folder, ...authority, '--code', code, '--profile', laptop];
    const { code: exit, stdout, stderr } = await runLintel('enroll', ...call, '--json');
    expect([exit, stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as { device_id: string }).device_id;
  };

  const isOnline = async (id: string): Promise<boolean> =>
    ((await client.callOk('GET', `/devices/${id}`))['status'] as { online: boolean }).online;

  const recordedUses = async (): Promise<number> =>
    (await client.callOk('GET', '/events?verb=use&object.type=gadget_action')).data.length;

  /** Creates a member whose PIN 2580 opens every gadget of the site, and waits until a controller serves it. */
  const createServedMember = async (): Promise<void> => {
    const permissions = [{ site_id: siteId }];
    const { id: member_group_id } = await client.callOk('POST', '/member_groups', { name: 'All', permissions });
    const { id } = await client.callOk('POST', '/members', { name: 'Ann' });
    await client.callOk('POST', `/members/${id}/group_associations`, { member_group_id });
    const pin = await client.callOk('POST', `/members/${id}/pins`, { pin: '2580' });
    const admin = await adminWithToken(bridge.bridge, client.organizationId, 'full_read_only');
    const status = async () =>
      ((await admin.callOk('GET', `/pins/${pin.id}/reach`))['doors'] as { status: string }[])[0]?.status;
    await expect.poll(status).toBe('served');
  };

  it('is enrolled while it runs, opens the door, uploads the event, and exits with 0 on SIGTERM', async () => {
    device = await DeviceProcess.start(folder);
    expect(device.ready).toMatchObject({ ready: true, product_id: 'laptop-simulator', device_id: null });
    expect(device.ready['technician']).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const id = await enroll();
    await expect.poll(() => isOnline(id)).toBe(true);
    await createServedMember();
    await device.type('2580');
    await expect.poll(recordedUses).toBe(1);
    expect(await device.stop()).toBe(0);
    await expect.poll(() => isOnline(id)).toBe(false);
  });

  it('keeps events through SIGKILL while offline, and uploads each of them once', async () => {
    const link = await FaultyTcpProxy.to(bridge.mqtts);
    const id = await enroll();
    const upstream = `mqtts://127.0.0.1:${link.port}`;
    device = await DeviceProcess.start(folder, '--upstream', upstream);
    expect(device.ready['device_id']).toBe(id);
    await createServedMember();
    link.cut();
    for (let time = 0; time < 5; time++) await device.type('2580');
    await device.stop('SIGKILL');
    expect(await recordedUses()).toBe(0);
    link.restore();
    device = await DeviceProcess.start(folder, '--upstream', upstream);
    await expect.poll(recordedUses).toBe(5);
    expect(await device.stop()).toBe(0);
    expect(await recordedUses()).toBe(5);
    link.close();
  });
});
