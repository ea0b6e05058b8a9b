import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idSource } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { Redeemed } from '@lintel/wire-protocol/claiming/redemption';
import { afterEach, describe, expect, it } from 'vitest';
import type { BridgeWorld } from '../support/bridge/bridge-world.ts';
import { ControllerIdentity } from '../support/devices/controller-identity.ts';
import { type RunningBridge, runLintel, startBridge } from '../support/processes/lintel-command.ts';
import { door } from '../support/bridge/place.ts';
import { TestController } from '../support/devices/test-controller.ts';

const now = () => instant(Date.now());

/** The bridge is another process: of its world a controller knows the time and how ids are made. */
const outside = {
  get now() {
    return now();
  },
  bridge: { services: { newId: idSource(now, randomBytes) } },
} as unknown as BridgeWorld;

const running: RunningBridge[] = [];
afterEach(async () => {
  for (const bridge of running.splice(0)) {
    const { exitCode, signalCode } = bridge.process;
    if (exitCode === null && signalCode === null) await bridge.stop('SIGKILL');
  }
});

const start = async (dataDir: string): Promise<RunningBridge> => {
  const bridge = await startBridge(dataDir, '--host', '127.0.0.1', '--mqtts-port', '0');
  running.push(bridge);
  return bridge;
};

const seeded = async (dataDir: string) => {
  const file = join(dataDir, 'seed.json');
  const content = {
    organization: { key: 'org', name: 'Hotel' },
    sites: [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }],
  };
  writeFileSync(file, JSON.stringify(content));
  const { ids } = JSON.parse((await runLintel('seed', file, '--data', dataDir, '--json')).stdout) as {
    ids: Record<string, string>;
  };
  const call = ['token', '--data', dataDir, '--organization', ids['org']!, '--scope', 'full_read_write', '--json'];
  const minted = await runLintel(...call);
  const { access_token } = JSON.parse(minted.stdout) as { access_token: string };
  return { organizationId: ids['org']!, siteId: ids['site']!, authorization: `Bearer ${access_token}` };
};

const post = async (url: string, body: object, authorization = ''): Promise<unknown> => {
  const headers = { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

describe('a bridge as a process', () => {
  it('claims a controller, serves it over TLS, and goes on with it after it was killed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-device-process-'));
    let bridge = await start(dataDir);
    const { organizationId, siteId, authorization } = await seeded(dataDir);
    const admin = `${bridge.ready['http']}/admin/v1/organizations/${organizationId}`;
    const ticket = (await post(`${admin}/claim_tickets`, { site_id: siteId, expires_in: 3600 }, authorization)) as {
      code: string;
    };
    const identity = new ControllerIdentity(outside);
    const claimed = (await post(
      `${bridge.ready['http']}/claim/v1/redeem`,
      identity.redemption({ code: ticket.code, name: 'Front', gadgets: [door] }),
    )) as Redeemed;
    expect(claimed.brokers).toEqual({ mqtts: bridge.ready['mqtts'], mqtt: bridge.ready['mqtt'] });
    const controller = new TestController(outside, identity, claimed);
    const tls = {
      ca: claimed.ca_certificate,
      cert: claimed.certificate,
      key: identity.key.export({ format: 'pem', type: 'pkcs8' }),
    };
    await controller.connect(claimed.brokers.mqtts!, tls);
    await controller.hello();
    await controller.until(() => controller.held !== null, 'a slice');
    const { highest } = controller.windows.down;
    await bridge.stop('SIGKILL');
    await controller.stop();
    bridge = await start(dataDir);
    await controller.connect(bridge.ready['mqtts']!, tls);
    const greeted = controller.next('time');
    await controller.hello();
    await greeted;
    expect(controller.windows.down.highest).toBeGreaterThan(highest);
    expect(controller.refused).toEqual([]);
    const status = async () => {
      const answer = await fetch(`${bridge.ready['http']}/v2/devices/${claimed.device_id}`, {
        headers: { authorization },
      });
      return ((await answer.json()) as { status: { online: boolean } }).status.online;
    };
    await expect.poll(status).toBe(true);
    await controller.stop();
    expect(await bridge.stop()).toBe(0);
  });
});
