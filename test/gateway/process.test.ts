import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connect as connectTls } from 'node:tls';
import { randomBytes } from 'node:crypto';
import { idSource } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { StatusDocument } from '@lintel/gateway/status/status-document';
import type { Redeemed } from '@lintel/wire-protocol/claiming/redemption';
import { afterEach, describe, expect, it } from 'vitest';
import type { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { ControllerIdentity } from '../support/devices/controller-identity.ts';
import { runLintel, startBridge } from '../support/processes/lintel-command.ts';
import { door } from '../support/bridge/place.ts';
import { TestController } from '../support/devices/test-controller.ts';

const home = join(import.meta.dirname, '../..');
const now = () => instant(Date.now());

/** The bridge is another process: of its world a controller knows the time and how ids are made. */
const outside = {
  get now() {
    return now();
  },
  bridge: { services: { newId: idSource(now, randomBytes) } },
} as unknown as BridgeWorld;

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
});

const startGateway = async (dataDir: string, ...args: readonly string[]) => {
  const options = ['--data', dataDir, '--listen', '127.0.0.1:0', '--mqtt-port', '0', '--no-mdns', ...args];
  const child = spawn(process.execPath, [join(home, 'lintel.ts'), 'gateway', ...options], { cwd: home });
  children.push(child);
  let log = '';
  child.stderr.on('data', chunk => {
    log += String(chunk);
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`the gateway ended with ${String(code)}: ${log}`);
    }),
  ])) as [string];
  return { child, log: () => log, ready: JSON.parse(line) as Record<string, string | null> };
};

const stopped = async (child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> => {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await exited)[0];
};

const seeded = async (dataDir: string) => {
  const file = join(dataDir, 'seed.json');
  const sites = [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }];
  writeFileSync(file, JSON.stringify({ organization: { key: 'org', name: 'Hotel' }, sites }));
  const { ids } = JSON.parse((await runLintel('seed', file, '--data', dataDir, '--json')).stdout) as {
    ids: Record<string, string>;
  };
  const scope = ['--scope', 'full_read_write', '--json'];
  const minted = await runLintel('token', '--data', dataDir, '--organization', ids['org']!, ...scope);
  const { access_token } = JSON.parse(minted.stdout) as { access_token: string };
  return { organizationId: ids['org']!, siteId: ids['site']!, authorization: `Bearer ${access_token}` };
};

const post = async (url: string, body: object, authorization = ''): Promise<unknown> => {
  const headers = { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

const statusOf = async (dataDir: string) => {
  const { code, stdout } = await runLintel('gateway', 'status', '--data', dataDir, '--json');
  return code === 0 ? (JSON.parse(stdout) as StatusDocument) : null;
};

/** Who answers with TLS there; null when the connection is closed before anybody has. */
const certificateAt = (url: string): Promise<string | null> =>
  new Promise(resolve => {
    const socket = connectTls({ host: '127.0.0.1', port: Number(new URL(url).port), rejectUnauthorized: false });
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
    socket.once('error', () => resolve(null));
    socket.once('close', () => resolve(null));
  });

/** One sentence, before it has said that it is ready. */
const nowhere = /^the gateway ended with 1: 203\.0\.113\.5:8883 is no address of this machine\.\n$/;
const elsewhere = ['--listen', '203.0.113.5:8883'];

describe('a gateway as a process', () => {
  it('does not start on an address that the machine has not, before it is claimed as well', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-gateway-'));
    await expect(startGateway(dataDir, ...elsewhere)).rejects.toThrow(nowhere);
  });

  it('waits to be claimed, keeps events through its own death and the bridge’s, and stops when told', async () => {
    const [bridgeDir, dataDir] = ['bridge', 'gateway'].map(name => mkdtempSync(join(tmpdir(), `lintel-${name}-`)));
    let bridge = await startBridge(bridgeDir!);
    children.push(bridge.process);
    const { organizationId, siteId, authorization } = await seeded(bridgeDir!);
    const admin = `${bridge.ready['http']}/admin/v1/organizations/${organizationId}`;
    const code = async (): Promise<string> => {
      const wanted = { site_id: siteId, expires_in: 3600 };
      return ((await post(`${admin}/claim_tickets`, wanted, authorization)) as { code: string }).code;
    };

    const unclaimed = await startGateway(dataDir!, '--tunnel-port', '0');
    const { ready: _, device_id: __, ...addresses } = unclaimed.ready;
    expect(unclaimed.ready).toEqual({
      ready: true,
      mqtts: expect.stringMatching(/^mqtts:\/\/127\.0\.0\.1:[1-9]\d+$/),
      mqtt: expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:[1-9]\d+$/),
      tunnel: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
      status: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/),
      device_id: null,
    });
    expect((await statusOf(dataDir!))?.addresses).toEqual(addresses);
    expect(await certificateAt(addresses['mqtts']!)).toBeNull();
    const enroll = ['enroll', '--data', dataDir!, '--bridge', bridge.ready['http']!, '--code', await code()];
    const profile = join(home, 'hardware-profiles/profiles/gateway.json');
    const claimed = await runLintel(...enroll, '--profile', profile, '--name', 'Gateway', '--json');
    expect(claimed).toMatchObject({ code: 0 });
    await expect.poll(async () => (await statusOf(dataDir!))?.upstream.connected, { timeout: 20_000 }).toBe(true);
    const known = await statusOf(dataDir!);
    expect(known?.addresses).toEqual(addresses);
    expect(await certificateAt(addresses['mqtts']!)).toBe(known?.device_id);
    expect(await stopped(unclaimed.child, 'SIGTERM')).toBe(0);

    await expect(startGateway(dataDir!, ...elsewhere)).rejects.toThrow(nowhere);
    const upstream = ['--upstream', bridge.ready['mqtt']!];
    let gateway = await startGateway(dataDir!, ...upstream);
    expect(gateway.ready['device_id']).toMatch(/^dev_/);
    const identity = new ControllerIdentity(outside);
    const redemption = identity.redemption({ code: await code(), name: 'Front', gadgets: [door] });
    const membership = (await post(`${bridge.ready['http']}/claim/v1/redeem`, redemption)) as Redeemed;
    const controller = new TestController(outside, identity, membership);
    await expect
      .poll(
        () =>
          controller.start(gateway.ready['mqtt']!).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);

    // The bridge dies, the gateway keeps what happens, and then it dies as well.
    const port = new URL(bridge.ready['mqtt']!).port;
    await bridge.stop('SIGKILL');
    await controller.until(() => controller.of('line').at(-1)?.online === false, 'the word that the line is down');
    const events = Array.from({ length: 3 }, () => controller.event({ kind: 'fault', fault: 'test' }));
    await controller.say('events', { v: 1, events });
    await expect.poll(async () => (await statusOf(dataDir!))?.queue.events, { timeout: 20_000 }).toBe(3);
    await stopped(gateway.child, 'SIGKILL');
    await controller.stop();
    bridge = await startBridge(bridgeDir!, '--mqtt-port', port);
    children.push(bridge.process);
    gateway = await startGateway(dataDir!, ...upstream);
    await expect.poll(async () => (await statusOf(dataDir!))?.queue.events, { timeout: 20_000 }).toBe(0);
    const path = `/v2/events?object.device_id=${membership.device_id}&sort=recorded_at:asc`;
    const answer = await fetch(`${bridge.ready['http']}${path}`, { headers: { authorization } });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(events.map(({ id }) => id)));

    const began = performance.now();
    expect(await stopped(gateway.child, 'SIGTERM')).toBe(0);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(gateway.log()).not.toMatch(/PRIVATE KEY/);
    expect(await statusOf(dataDir!)).toBeNull();
  });

  it('says what is wrong with a call', async () => {
    const { code, stderr } = await runLintel('gateway', '--data', tmpdir(), '--listen', 'nowhere');
    expect([code, stderr.split('\n')[0]]).toEqual([2, '--listen must be an address such as 0.0.0.0:8883 or [::]:8883']);
    expect((await runLintel('gateway', 'status', '--data', join(tmpdir(), 'nothing-here'))).code).toBe(1);
  });
});
