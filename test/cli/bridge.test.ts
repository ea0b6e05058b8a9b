import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdGenerator } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import type { RedeemClaimResponse } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { door } from '../support/bridge/site-fixtures.ts';
import type { TestBridge } from '../support/bridge/test-bridge.ts';
import { ControllerIdentity } from '../support/devices/controller-identity.ts';
import { TestController } from '../support/devices/test-controller.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { startBridge } from '../support/processes/bridge-process.ts';
import type { StartedProgram } from '../support/processes/start-program.ts';

const weekdays = Array.from({ length: 7 }, () => ({ ranges: [] }));

const seedFile = {
  organization: { key: 'org', name: 'Hotel', whitelabel: true },
  users: [{ key: 'admin', email: 'admin@example.test', password: 'a long password' }],
  applications: [{ key: 'app', name: 'PMS', redirect_uris: ['http://localhost/cb'] }],
  sites: [{ key: 'site', name: 'Main', timezone: 'Asia/Kolkata' }],
  devices: [
    {
      key: 'dev',
      site: 'site',
      name: 'Front',
      product_id: 'virtual',
      hardware_id: null,
      input_rules: [{ code: '', gadget: 'door', action_id: 'open' }],
    },
  ],
  gadgets: [{ key: 'door', device: 'dev', name: 'Door', actions: [{ id: 'open', name: 'Open' }] }],
  schedules: [{ key: 'never', name: 'Never', weekdays }],
  member_groups: [
    { key: 'visitors', name: 'Visitors', permissions: [{ group: 'guests', schedule: 'never' }] },
    { key: 'guests', name: 'Guests', permissions: [{ gadget: 'door', action_id: 'open' }] },
  ],
  members: [
    { key: 'ann', name: 'Ann', groups: ['guests'], pins: ['0042'], cards: [{ uid: '04A1B2C3' }], tags: ['vip'] },
  ],
  tags: [{ key: 'vip', name: 'VIP' }],
};

const home = mkdtempSync(join(tmpdir(), 'lintel-process-'));
const dataDir = join(home, 'data');

const now = () => instant(Date.now());

/** The bridge is another process: a test controller needs only the time and the id source of a test bridge. */
const bridgeOfController = {
  get now() {
    return now();
  },
  services: { newId: createIdGenerator(now, randomBytes) },
} as unknown as TestBridge;

const runSeed = (content: object, ...more: readonly string[]) => {
  const file = join(home, 'seed.json');
  writeFileSync(file, JSON.stringify(content));
  return runLintel('seed', file, '--data', dataDir, '--json', ...more);
};

describe('lintel bridge', () => {
  let bridge: StartedProgram;
  let ids: Record<string, string>;
  let secrets: Record<string, Record<string, string>>;
  const start = () => startBridge(dataDir, '--host', '127.0.0.1', '--mqtts-port', '0');

  beforeAll(async () => {
    bridge = await start();
    ({ ids, secrets } = JSON.parse((await runSeed(seedFile)).stdout) as {
      ids: Record<string, string>;
      secrets: Record<string, Record<string, string>>;
    });
  }, 120_000);

  afterAll(async () => {
    if (bridge.process.exitCode === null) await bridge.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const token = async (...more: readonly string[]) => {
    const args = ['--data', dataDir, '--organization', ids['org']!, '--json', ...more];
    return JSON.parse((await runLintel('token', ...args)).stdout) as Record<string, string>;
  };

  const call = async (path: string, accessToken: string, method = 'GET', body?: object) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${accessToken}`, ...type };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${bridge.ready['http']}${path}`, { method, headers, ...content });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  it('prints its addresses and its CA fingerprint in one line', () => {
    expect(bridge.ready).toMatchObject({
      ready: true,
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      mqtt: expect.stringMatching(/^mqtt:\/\/127\.0\.0\.1:\d+$/),
      https: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
      mqtts: expect.stringMatching(/^mqtts:\/\/127\.0\.0\.1:\d+$/),
      ca_fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
    });
  });

  it('can be seeded while it runs, and the same seed file again creates nothing', async () => {
    const again = JSON.parse((await runSeed(seedFile)).stdout) as { ids: object; secrets: object };
    expect(again).toEqual({ ids, secrets: {} });
  });

  it('serves the seeded objects to a token of lintel token', async () => {
    const { access_token, refresh_token, expires_in, scope, token_type } = await token(
      '--scope',
      'full_read_write offline',
    );
    expect({ expires_in, scope, token_type }).toEqual({
      expires_in: 3600,
      scope: 'full_read_write offline',
      token_type: 'bearer',
    });
    expect(refresh_token).toMatch(/./);
    const { body } = await call(
      `/v2/members/${ids['ann']}?expand=cards,pins,tags,group_associations.member_group`,
      access_token!,
    );
    expect(body).toMatchObject({
      name: 'Ann',
      cards: [{ uid: '04a1b2c3' }],
      pins: [{ length: 4 }],
      tags: [{ name: 'VIP' }],
      group_associations: [{ member_group: { name: 'Guests' } }],
    });
    expect((await call(`/v2/sites/${ids['site']}`, access_token!)).body).toMatchObject({ timezone: 'Asia/Kolkata' });
  });

  it('gets no refresh token from lintel token without the scope offline', async () => {
    expect(await token('--scope', 'full_read_only')).not.toHaveProperty('refresh_token');
  });

  it('serves HTTPS with a certificate of its own CA', async () => {
    const ca = readFileSync(join(dataDir, 'ca.pem'));
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const address = `${bridge.ready['https']}/healthz`;
      request(address, { ca, servername: 'localhost' }, answer => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  it('makes all its files readable for their owner only', () => {
    const entries = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(entries).toContain('bridge.sqlite-wal');
    expect(entries.filter(name => (statSync(join(dataDir, name)).mode & 0o077) !== 0)).toEqual([]);
    for (const name of ['master-keys.json', 'ca-key.pem']) expect(statSync(join(dataDir, name)).mode & 0o077).toBe(0);
  });

  it('keeps serving while lintel keys rotates the master key', async () => {
    const { access_token } = await token('--scope', 'full_read_write');
    const rotated = await runLintel('keys', 'rotate', '--data', dataDir, '--json');
    expect(JSON.parse(rotated.stdout)).toMatchObject({ version: 2, secrets: 1 });
    const pins = (await call(`/v2/members/${ids['ann']}/pins`, access_token!)).body['data'] as { id: string }[];
    const path = `/v2/members/${ids['ann']}/pins/${pins[0]!.id}/reveal`;
    expect((await call(path, access_token!, 'POST')).body).toMatchObject({ pin: '0042' });
    // The keyed hash of a client secret changes to the new key when the application authenticates.
    await fetch(`${bridge.ready['http']}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', code: 'unknown', ...secrets['app'] }),
    });
    const forgotten = await runLintel('keys', 'forget', '1', '--data', dataDir, '--json');
    expect(JSON.parse(forgotten.stdout)).toEqual({ forgotten: 1 });
    expect((await call(path, access_token!, 'POST')).body).toMatchObject({ pin: '0042' });
  });

  it.each([
    ['an unknown list', { ...seedFile, doors: [] }, 'doors'],
    ['an unknown field', { ...seedFile, members: [{ key: 'x', pinz: [] }] }, 'members.0.pinz'],
    [
      'an unknown field of a gadget',
      { ...seedFile, gadgets: [...seedFile.gadgets, { key: 'g2', device: 'dev', name: 'G', foo: 1 }] },
      'gadgets.1.foo',
    ],
    [
      'an invalid field of a gadget of a new device',
      {
        ...seedFile,
        devices: [...seedFile.devices, { key: 'd2', site: 'site', name: 'D' }],
        gadgets: [...seedFile.gadgets, { key: 'g2', device: 'd2', name: 'G', state_id: 'open' }],
      },
      'gadgets.1.state_id',
    ],
    [
      'an unknown field of an existing object',
      { ...seedFile, members: [{ ...seedFile.members[0], foo: 1 }] },
      'members.0.foo',
    ],
    ['an unknown key', { ...seedFile, members: [{ key: 'x', groups: ['nobody'] }] }, 'members.0.groups.0'],
    ['a PIN that is in use', { ...seedFile, members: [{ key: 'x', pins: ['0042'] }] }, 'members.0.pins.0.pin'],
    ['a random UID', { ...seedFile, members: [{ key: 'x', cards: [{ uid: '08112233' }] }] }, 'members.0.cards.0.uid'],
    [
      'a random UID in the card stock',
      { ...seedFile, card_stock: [{ key: 'x', uid: '08112233' }] },
      'card_stock.0.uid',
    ],
    ['the same key twice', { ...seedFile, tags: [{ key: 'site', name: 'S' }] }, 'sites.0.key'],
  ])('rejects a seed file with %s and names the field', async (_, content, place) => {
    const { code, stderr, stdout } = await runSeed(content);
    expect(code).toBe(1);
    expect(stderr).toContain(place);
    expect(stdout).toBe('');
  });

  it('claims a controller, serves it over TLS, and continues with it after SIGKILL', async () => {
    const { access_token } = await token('--scope', 'full_read_write');
    const tickets = `/admin/v1/organizations/${ids['org']}/claim_tickets`;
    const ticket = await call(tickets, access_token!, 'POST', { site_id: ids['site'], expires_in: 3600 });
    const identity = new ControllerIdentity(bridgeOfController);
    const redemption = identity.redemption({ code: String(ticket.body['code']), name: 'Back', gadgets: [door] });
    const redeemed = await fetch(`${bridge.ready['http']}/claim/v1/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(redemption),
    });
    const claimed = (await redeemed.json()) as RedeemClaimResponse;
    expect(claimed.brokers).toEqual({ mqtts: bridge.ready['mqtts'], mqtt: bridge.ready['mqtt'] });
    const controller = new TestController(bridgeOfController, identity, claimed);
    const tls = {
      ca: claimed.ca_certificate,
      cert: claimed.certificate,
      key: identity.key.export({ format: 'pem', type: 'pkcs8' }),
    };
    await controller.connect(claimed.brokers.mqtts!, tls);
    await controller.hello();
    await controller.waitUntil(() => controller.snapshot !== null, 'a snapshot');
    const { highest } = controller.windows.down;
    await bridge.stop('SIGKILL');
    await controller.stop();
    bridge = await start();
    await controller.connect(bridge.ready['mqtts']!, tls);
    const time = controller.next('time');
    await controller.hello();
    await time;
    expect(controller.windows.down.highest).toBeGreaterThan(highest);
    expect(controller.rejections).toEqual([]);
    await expect
      .poll(async () => (await call(`/v2/devices/${claimed.device_id}`, access_token!)).body['status'])
      .toMatchObject({ online: true });
    await controller.stop();
  });

  it('stops on SIGTERM although clients are connected and a request is incomplete', async () => {
    const silent = ['http', 'https', 'mqtt', 'mqtts'].map(name => connect(Number(new URL(bridge.ready[name]!).port)));
    await Promise.all(silent.map(socket => once(socket, 'connect')));
    for (const socket of silent) socket.on('error', () => undefined);
    silent[0]!.write('POST /v2/members HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\n{');
    expect(await bridge.stop()).toBe(0);
  });
});
