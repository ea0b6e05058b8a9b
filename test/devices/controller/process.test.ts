import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeviceProcess } from '../../support/processes/device-process.ts';
import { type RunningBridge, runLintel, startBridge } from '../../support/processes/lintel-command.ts';

const laptop = join(import.meta.dirname, '../../../hardware-profiles/profiles/laptop-simulator.json');

interface Place {
  readonly organizationId: string;
  readonly siteId: string;
  readonly authorization: string;
}

let folder: string;
let bridge: RunningBridge;
let device: DeviceProcess | null;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-controller-process-'));
  device = null;
  bridge = await startBridge(join(folder, 'bridge'), '--host', '127.0.0.1', '--mqtts-port', '0');
});
afterEach(async () => {
  await device?.stop('SIGKILL');
  if (bridge.process.exitCode === null && bridge.process.signalCode === null) await bridge.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const json = async <T>(...args: readonly string[]): Promise<T> => {
  const { code, stdout, stderr } = await runLintel(...args, '--json');
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
};

const place = async (): Promise<Place> => {
  const file = join(folder, 'seed.json');
  const data = ['--data', join(folder, 'bridge')];
  const sites = [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }];
  writeFileSync(file, JSON.stringify({ organization: { key: 'org', name: 'Hotel' }, sites }));
  const { ids } = await json<{ ids: Record<string, string> }>('seed', file, ...data);
  const scope = ['--organization', ids['org']!, '--scope', 'full_read_write'];
  const { access_token } = await json<{ access_token: string }>('token', ...data, ...scope);
  return { organizationId: ids['org']!, siteId: ids['site']!, authorization: `Bearer ${access_token}` };
};

const ask = async <T = { id: string }>(at: Place, method: string, path: string, body?: object): Promise<T> => {
  const headers = { authorization: at.authorization, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${bridge.ready['http']}${path}`, { method, headers, ...sent });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
};

const enroll = async (at: Place, data: string): Promise<string> => {
  const tickets = `/admin/v1/organizations/${at.organizationId}/claim_tickets`;
  const { code } = await ask<{ code: string }>(at, 'POST', tickets, { site_id: at.siteId, expires_in: 3600 });
  const call = ['--data', data, '--bridge', bridge.ready['http']!, '--code', code, '--profile', laptop];
  return (await json<{ device_id: string }>('enroll', ...call)).device_id;
};

const isOnline = async (at: Place, id: string): Promise<boolean> =>
  (await ask<{ status: { online: boolean } }>(at, 'GET', `/v2/devices/${id}`)).status.online;

interface Page {
  readonly data: readonly { readonly id: string }[];
}

const uses = async (at: Place): Promise<number> =>
  (await ask<Page>(at, 'GET', '/v2/events?verb=use&object.type=gadget_action')).data.length;

/** Ann with PIN 2580 may open everything of the site. */
const letAnnIn = async (at: Place): Promise<void> => {
  const group = await ask(at, 'POST', '/v2/member_groups', { name: 'All', permissions: [{ site_id: at.siteId }] });
  const ann = await ask(at, 'POST', '/v2/members', { name: 'Ann' });
  await ask(at, 'POST', `/v2/members/${ann.id}/group_associations`, { member_group_id: group.id });
  await ask(at, 'POST', `/v2/members/${ann.id}/pins`, { pin: '2580' });
};

const served = async (at: Place): Promise<void> => {
  const [member] = (await ask<Page>(at, 'GET', '/v2/members')).data;
  const [pin] = (await ask<Page>(at, 'GET', `/v2/members/${member!.id}/pins`)).data;
  const reach = async () =>
    (await ask<{ doors: { status: string }[] }>(at, 'GET', `/admin/v1/pins/${pin!.id}/reach`)).doors[0]?.status;
  await expect.poll(reach, { timeout: 10_000 }).toBe('served');
};

it('runs unclaimed, is enrolled while it runs, opens the door, tells it, and stops when told to', async () => {
  const data = join(folder, 'door');
  device = await DeviceProcess.start(data);
  expect(device.ready).toMatchObject({ ready: true, product_id: 'laptop-simulator', device_id: null });
  expect(device.ready['technician']).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const at = await place();
  const id = await enroll(at, data);
  await expect.poll(() => isOnline(at, id), { timeout: 10_000 }).toBe(true);
  await letAnnIn(at);
  await served(at);
  await device.type('2580');
  await expect.poll(() => uses(at), { timeout: 5_000 }).toBe(1);
  const before = performance.now();
  expect(await device.stop()).toBe(0);
  expect(performance.now() - before).toBeLessThan(5_000);
  await expect.poll(() => isOnline(at, id)).toBe(false);
}, 60_000);

it('killed without a network it has lost nothing, and tells it once when it is back', async () => {
  const data = join(folder, 'door');
  const at = await place();
  const id = await enroll(at, data);
  await letAnnIn(at);
  device = await DeviceProcess.start(data, '--upstream', bridge.ready['mqtts']!);
  expect(device.ready['device_id']).toBe(id);
  await served(at);
  await device.stop();
  device = await DeviceProcess.start(data, '--upstream', 'mqtt://127.0.0.1:1');
  for (let time = 0; time < 5; time++) await device.type('2580');
  await device.stop('SIGKILL');
  device = await DeviceProcess.start(data);
  await expect.poll(() => uses(at), { timeout: 10_000 }).toBe(5);
  expect(await device.stop()).toBe(0);
  expect(await uses(at)).toBe(5);
}, 60_000);
