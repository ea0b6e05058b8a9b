import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFreePort } from '../support/find-free-port.ts';
import { DeviceProcess } from '../support/processes/device-process.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { startLintel } from '../support/processes/start-program.ts';

const address = Object.values(networkInterfaces())
  .flatMap(entries => entries ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const seed = {
  organization: { key: 'org', name: 'Home' },
  users: [{ key: 'admin', email: 'admin@example.test', password: 'correct horse battery staple' }],
  sites: [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }],
};

describe('lintel bridge --lan', () => {
  it('serves a controller at an address that is not loopback, which trusts the bridge through its claim', async context => {
    if (address === undefined) return context.skip('needs a network interface other than loopback');
    const folder = mkdtempSync(join(tmpdir(), 'lintel-lan-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const json = async <T>(...args: readonly string[]): Promise<T> => {
      const { code, stdout, stderr } = await runLintel(...args, '--json');
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return JSON.parse(stdout) as T;
    };
    const data = join(folder, 'bridge');
    const ports = ['--http-port', '0', '--mqtt-port', '0', '--mqtts-port', '0', '--https-port'];
    const bridge = await startLintel([
      'bridge',
      '--data',
      data,
      '--lan',
      '--host',
      address,
      ...ports,
      `${await findFreePort()}`,
    ]);
    onTestFinished(() => void bridge.stop('SIGKILL'));
    const { http, https, mqtts, ca_fingerprint: fingerprint } = bridge.ready;
    expect(https).toContain(address);
    await expect.poll(() => bridge.log()).toContain(`reach the bridge at ${https}`);
    await expect.poll(() => bridge.log()).toContain(`${https}/setup#`);

    writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed));
    const { ids } = await json<{ ids: Record<string, string> }>('seed', join(folder, 'seed.json'), '--data', data);
    const scope = ['--organization', ids['org']!, '--scope', 'full_read_write'];
    const { access_token } = await json<{ access_token: string }>('token', '--data', data, ...scope);
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${http}/admin/v1/organizations/${ids['org']}/claim_tickets`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ site_id: ids['site'] }),
    });
    const ticket = (await answer.json()) as Record<string, string>;
    expect(ticket).toMatchObject({ bridge_url: https, ca_fingerprint: fingerprint });

    const controller = join(folder, 'controller');
    const claim = [
      'enroll',
      '--data',
      controller,
      '--bridge',
      https!,
      '--code',
      ticket['code']!,
      '--profile',
      'laptop-simulator',
    ];
    const untrusted = await runLintel(...claim);
    expect([untrusted.code, untrusted.stderr]).toEqual([1, expect.any(String)]);
    const { device_id } = await json<{ device_id: string }>(...claim, '--ca-fingerprint', fingerprint!);
    const device = await DeviceProcess.start(controller, '--upstream', mqtts!);
    onTestFinished(() => void device.stop('SIGKILL'));
    await expect
      .poll(async () => {
        const { status } = (await (await fetch(`${http}/v2/devices/${device_id}`, { headers })).json()) as {
          status: { online: boolean };
        };
        return status.online;
      })
      .toBe(true);
    await device.stop();
    await bridge.stop();
  });
});
