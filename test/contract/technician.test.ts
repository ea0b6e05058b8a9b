import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { connect } from 'node:tls';
import { monotonic } from '@lintel/access-core/monotonic';
import { CredentialDigests } from '@lintel/device-runtime/app/credential-digests';
import { createSimulatedController } from '@lintel/device-runtime/main';
import {
  deviceEntry,
  gadgetEntry,
  groupEntry,
  memberEntry,
  siteEntry,
  snapshotOf,
} from '@lintel/device-runtime/testing/door-entries';
import { type RunningTechnician, startTechnician } from '@lintel/device-runtime/technician/start';
import { withTail } from '@lintel/device-runtime/technician/log-tail';
import { loadProfile } from '@lintel/hardware-profiles/load-profiles';
import { encodeTechnicianPass } from '@lintel/wire-protocol/claiming/technician-pass';
import { liveHappening } from '@lintel/wire-protocol/technician/live';
import { technicianRules } from '@lintel/wire-protocol/technician/input-rules';
import { supportBundle, technicianStatus } from '@lintel/wire-protocol/technician/status';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TechnicianClient } from '../support/technician-client.ts';

type Device = ReturnType<typeof createSimulatedController>;
type Rules = readonly { readonly code: string; readonly gadget_id: string; readonly action_id: string }[];

const organization = generateKeyPairSync('ed25519');
const profile = loadProfile(join(import.meta.dirname, '../../hardware-profiles/profiles/laptop-simulator.json'));
const PIN = '2580';
const CARD = '04a1b2c3d4e5f6';

let folder: string;
let device: Device;
let technician: RunningTechnician;
let client: TechnicianClient;
let printed: string[];
let clock: { now: () => ReturnType<typeof monotonic>; at: number };
let membership: ReturnType<Device['membership']>;

const claim = (): void => {
  membership = {
    device_id: 'dev_own',
    organization_id: 'org_1',
    site_id: 'site_1',
    bridge_url: 'https://bridge.example',
    organization_key: organization.publicKey.export({ format: 'jwk' }).x!,
  } as NonNullable<typeof membership>;
};

const passOf = (changes: object = {}, key: KeyObject = organization.privateKey): string => {
  const now = device.time.now();
  const content = {
    v: 1,
    id: 'pass_1',
    organization_id: 'org_1',
    site_id: 'site_1',
    user_id: 'usr_tina',
    issued_at: now,
    expires_at: now + 86_400_000,
    ...changes,
  };
  return encodeTechnicianPass(content as never, bytes => sign(null, bytes, key));
};

const open = async (): Promise<void> => {
  const { log, tail } = withTail(
    () => undefined,
    () => new Date(0),
  );
  device = createSimulatedController({ dataDir: folder, log });
  printed = [];
  technician = await startTechnician({
    dataDir: folder,
    device: { ...device, membership: () => membership },
    productId: 'laptop-simulator',
    log,
    logTail: tail,
    host: '127.0.0.1',
    port: 0,
    profile,
    console: line => void printed.push(line),
    clock,
  });
  client = new TechnicianClient(technician.url);
};

const close = async (): Promise<void> => {
  await technician.stop();
  await device.stop();
};

const serve = async (input_rules: Rules = [], revision = 1): Promise<void> => {
  const digests = new CredentialDigests(device.digestKey);
  const ann = memberEntry(digests, 'mem_ann', { pins: [PIN], cards: [CARD], groups: ['mg_all'] });
  const entries = [
    deviceEntry(input_rules),
    siteEntry(),
    gadgetEntry({ id: 'gad_door', states: ['locked', 'unlocked'] }),
    gadgetEntry({ id: 'gad_garage', device_id: 'dev_other', created_at: 2 }),
    groupEntry('mg_all', [{}]),
    ann,
  ];
  const received = await device.controller.receiveSlice(snapshotOf(entries, revision, digests.keyId));
  expect(received.kind).toBe('applied');
};

const setupCode = (): string => readFileSync(join(folder, 'technician/setup-code'), 'utf8').trim();

const rule = (code: string, gadget_id = 'gad_door', action_id = 'open') => ({ code, gadget_id, action_id });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lintel-technician-'));
  membership = null;
  clock = { at: 1_000, now: () => monotonic(clock.at) };
  await open();
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

describe('coming in', () => {
  it('tells a stranger what it is and nothing else', async () => {
    const { status, body, headers } = await client.ask('GET', '/hello');
    expect([status, body]).toEqual([
      200,
      {
        product_id: 'laptop-simulator',
        name: technician.name,
        claimed: false,
        firmware: '0.1.0',
        fingerprint: technician.fingerprint,
        login: ['code'],
      },
    ]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    const closed = [
      ['GET', '/status'],
      ['GET', '/live'],
      ['GET', '/events'],
      ['GET', '/support_bundle'],
      ['GET', '/claim'],
      ['POST', '/claim'],
      ['GET', '/input_rules'],
      ['PUT', '/input_rules'],
      ['POST', '/input_rules/check'],
      ['POST', '/input_rules/conflict'],
      ['POST', '/outputs/red/pulse'],
      ['POST', '/gadgets/gad_door/actions/open'],
      ['POST', '/logout'],
    ] as const;
    for (const [method, path] of closed) {
      const answer = await client.ask(method, path, method === 'GET' ? {} : { body: {} });
      expect([path, answer.status, answer.body]).toEqual([
        path,
        401,
        { type: 'unauthorized', message: expect.any(String), args: {} },
      ]);
    }
    client.token = 'A'.repeat(43);
    expect((await client.ask('GET', '/status')).status).toBe(401);
  });

  it('shows the certificate whose fingerprint it says, and keeps it over a restart', async () => {
    const shown = await new Promise<{ print: string; names: string; curve: string | undefined }>(resolve => {
      const socket = connect({ port: Number(new URL(technician.url).port), rejectUnauthorized: false }, () => {
        const { fingerprint256, subjectaltname = '', asn1Curve } = socket.getPeerCertificate();
        resolve({ print: fingerprint256, names: subjectaltname, curve: asn1Curve });
        socket.destroy();
      });
    });
    expect(shown).toEqual({
      print: technician.fingerprint,
      names: expect.stringContaining(`DNS:${technician.name}.local`),
      curve: 'prime256v1',
    });
    const before = technician.fingerprint;
    await close();
    await open();
    expect(technician.fingerprint).toBe(before);
    for (const name of ['key.pem', 'certificate.pem', 'setup-code'])
      expect(statSync(join(folder, 'technician', name)).mode & 0o077).toBe(0);
  });

  it('takes the setup code however it is typed, as a bearer and as a cookie for this host alone', async () => {
    expect(printed.join()).toContain(setupCode());
    const { status, body, headers } = await client.login({
      code: ` ${setupCode().toLowerCase().replaceAll('-', ' ')}`,
    });
    expect([status, body]).toEqual([
      200,
      { token: expect.any(String), by: 'code', user_id: null, expires_at: expect.any(String), idle_seconds: 1800 },
    ]);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^__Host-lintel_technician=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=28800$/,
    );
    expect((await client.ask('GET', '/status')).status).toBe(200);
    client.token = null;
    const headersOfBrowser = { cookie: cookie.split(';')[0]! };
    expect((await client.ask('GET', '/status', { headers: headersOfBrowser })).status).toBe(200);
    await client.ask('POST', '/logout', { headers: headersOfBrowser });
    expect((await client.ask('GET', '/status', { headers: headersOfBrowser })).status).toBe(401);
  });

  it('locks after five wrong codes, longer each time, over a restart too, and not for ever', async () => {
    const wrong = async () => (await client.login({ code: '0000-0000-0000' })).status;
    for (let tries = 0; tries < 5; tries++) expect(await wrong()).toBe(401);
    const locked = await client.login({ code: setupCode() });
    expect([locked.status, locked.body['type'], locked.headers['retry-after']]).toEqual([429, 'rate_limited', '30']);
    clock.at += 29_999;
    expect((await client.login({ code: setupCode() })).headers['retry-after']).toBe('1');
    clock.at += 1;
    expect(await wrong()).toBe(401);
    await close();
    clock.at = 5;
    await open();
    expect((await client.login({ code: setupCode() })).headers['retry-after']).toBe('60');
    for (let tries = 0; tries < 40; tries++) {
      clock.at += 15 * 60_000;
      expect(await wrong()).toBe(401);
      expect(Number((await client.login({ code: setupCode() })).headers['retry-after'])).toBeLessThanOrEqual(900);
    }
    clock.at += 15 * 60_000;
    expect((await client.login({ code: setupCode() })).status).toBe(200);
  });

  it('takes a pass of its site once it is claimed, also while wrong codes have locked the code', async () => {
    expect((await client.login({ pass: passOf() })).status).toBe(401);
    claim();
    expect((await client.login({ code: setupCode() })).status).toBe(401);
    technician.setupButtonPressed();
    for (let tries = 0; tries < 6; tries++) await client.login({ code: 'nonsense' });
    expect((await client.login({ code: setupCode() })).status).toBe(429);
    technician.setupButtonPressed();
    expect((await client.login({ code: setupCode() })).status).toBe(200);
    for (let tries = 0; tries < 6; tries++) await client.login({ code: 'nonsense' });
    expect((await client.login({ code: setupCode() })).status).toBe(429);
    const { status, body } = await client.login({ pass: passOf() });
    expect([status, body]).toMatchObject([200, { by: 'pass', user_id: 'usr_tina' }]);
    const refused: [string, string][] = [
      [passOf({ site_id: 'site_2' }), 'another site'],
      [passOf({ organization_id: 'org_2' }), 'another site'],
      [passOf({ expires_at: device.time.now() }), 'too old'],
      [passOf({}, generateKeyPairSync('ed25519').privateKey), 'not valid'],
      ['nonsense', 'not valid'],
    ];
    for (const [pass, why] of refused) {
      const answer = await client.login({ pass });
      expect([answer.status, answer.body['message']]).toEqual([401, expect.stringContaining(why)]);
    }
  });

  it('takes the code again for a quarter of an hour after the button on the board was pressed', async () => {
    claim();
    expect((await client.ask('GET', '/hello')).body['login']).toEqual(['pass']);
    device.inputs.press('setup');
    expect((await client.ask('GET', '/hello')).body['login']).toEqual(['code', 'pass']);
    clock.at += 15 * 60_000 - 1;
    expect((await client.login({ code: setupCode() })).status).toBe(200);
    clock.at += 1;
    expect((await client.login({ code: setupCode() })).status).toBe(401);
  });

  it('ends a session after half an hour without use, after eight hours, and with the pass', async () => {
    claim();
    const isIn = async () => (await client.ask('GET', '/status')).status === 200;
    await client.login({ pass: passOf() });
    clock.at += 29 * 60_000;
    expect(await isIn()).toBe(true);
    clock.at += 30 * 60_000;
    expect(await isIn()).toBe(false);
    await client.login({ pass: passOf() });
    for (let half = 0; half < 16; half++) {
      clock.at += 29 * 60_000;
      expect(await isIn()).toBe(true);
    }
    clock.at += 16 * 60_000;
    expect(await isIn()).toBe(false);
    await client.login({ pass: passOf({ expires_at: device.time.now() + 60_000 }) });
    clock.at += 61_000;
    expect(await isIn()).toBe(false);
  });

  it('refuses a page from elsewhere, and a name that is not its own', async () => {
    await client.login({ code: setupCode() });
    const status = async (headers: Record<string, string>) => (await client.ask('GET', '/status', { headers })).status;
    const { host, port } = new URL(technician.url);
    expect(await status({ origin: `https://${host}` })).toBe(200);
    expect(await status({ host: `${technician.name}.local:${port}` })).toBe(200);
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ host: 'somebody@127.0.0.1' })).toBe(403);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ origin: `http://${host}` })).toBe(403);
    expect(await status({ origin: 'null' })).toBe(403);
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it('names what is wrong with a request', async () => {
    const errors = async (method: string, path: string, told: { body?: unknown; headers?: Record<string, string> }) => {
      const { status, body } = await client.ask(method, path, told);
      return [status, body['type'], body['args']];
    };
    expect(await errors('GET', '/nowhere', {})).toEqual([404, 'not_found', {}]);
    expect(await errors('DELETE', '/status', {})).toEqual([405, 'method_not_allowed', {}]);
    expect(await errors('GET', '/%zz', {})).toEqual([400, 'invalid_request', {}]);
    expect(await errors('POST', '/login', { body: '{' })).toEqual([400, 'invalid_request', {}]);
    expect(await errors('POST', '/login', { body: {} })).toEqual([400, 'invalid_request', { field: 'code' }]);
    expect(await errors('POST', '/login', { body: { code: 7 } })).toEqual([400, 'invalid_request', { field: 'code' }]);
    expect(await errors('POST', '/login', { body: 'x', headers: { 'content-type': 'text/plain' } })).toEqual([
      415,
      'unsupported_media_type',
      {},
    ]);
    const huge = { code: 'x'.repeat(300_000) };
    expect(await errors('POST', '/login', { body: huge })).toEqual([413, 'payload_too_large', {}]);
  });
});

describe('looking', () => {
  beforeEach(async () => {
    await serve([rule('', 'gad_door'), rule('*12', 'gad_door', 'unlock')]);
    await client.login({ code: setupCode() });
  });

  it('says how the controller is', async () => {
    const { body } = await client.ask('GET', '/status');
    expect(technicianStatus.parse(body)).toMatchObject({
      product_id: 'laptop-simulator',
      claimed: false,
      device_id: 'dev_own',
      upstream: { connected: false, via: null },
      slice: { revision: 1, age_ms: null },
      gadgets: [{ gadget_id: 'gad_door', state_id: 'locked', actions: [{ id: 'open' }, {}, {}] }],
      inputs: expect.arrayContaining([
        { input: 'contact-0', role: 'contact', level: 'inactive', gadget_id: 'gad_door' },
        { input: 'tamper', role: 'tamper', level: 'inactive', gadget_id: null },
      ]),
      outputs: expect.arrayContaining([
        { output: 'strike-0', role: 'strike', gadget_id: 'gad_door', can_pulse: false },
        { output: 'buzzer', role: 'buzzer', gadget_id: null, can_pulse: true },
      ]),
      stations: [{ id: 'station-0', keypad: true, reader: true, locked_for_ms: 0 }],
      clock: { trusted: expect.any(Boolean), source: expect.any(String) },
      rules: { pending: false, conflict: false },
      digest_key_kept_in: 'file',
      disk: { free_bytes: expect.any(Number), total_bytes: expect.any(Number) },
    });
  });

  it('shows live what happens, without a digit of what is typed and without the card', async () => {
    const live = await client.live();
    const { said } = live;
    device.keypad.press(`*12${PIN}`);
    device.keypad.press('9999#');
    device.reader.tap(CARD);
    device.inputs.press('exit-0');
    device.inputs.set('contact-0', 'active');
    const kinds = () => said.map(({ type }) => type);
    await expect.poll(kinds).toContain('input');
    await expect.poll(() => said.some(one => one['input'] === 'contact-0')).toBe(true);
    live.stop();
    for (const one of said) liveHappening.parse(one);
    expect(said.slice(0, 4)).toEqual([
      { type: 'key', station: 'station-0', key: '*' },
      { type: 'feedback', station: 'station-0', kind: 'key_taken' },
      expect.objectContaining({ type: 'output', output: 'buzzer' }),
      { type: 'entry', station: 'station-0', phase: 'code', rule: null },
    ]);
    const armed = {
      type: 'entry',
      station: 'station-0',
      phase: 'armed',
      rule: { gadget_id: 'gad_door', action_id: 'unlock' },
    };
    expect(said).toContainEqual(armed);
    expect(said).toContainEqual({ type: 'card', station: 'station-0', card: '••••••••••••f6' });
    expect(said).toContainEqual(expect.objectContaining({ type: 'output', output: 'strike-0', on: true }));
    const decided = said.flatMap(one => (one['type'] === 'event' ? [one['event'] as Record<string, unknown>] : []));
    expect(decided.map(({ kind, reason }) => [kind, reason])).toEqual(
      expect.arrayContaining([
        ['use', undefined],
        ['deny', 'unknown_credential'],
      ]),
    );
    const keys = said.flatMap(one => (one['type'] === 'key' ? [one['key']] : []));
    expect(keys.join('')).toBe('*••••••••••#');
    expect(JSON.stringify(said)).not.toMatch(new RegExp(`${PIN}|${CARD}|9999`));
  });

  it('lets a limited number look, and whoever leaves makes room', async () => {
    const eight = await Promise.all(Array.from({ length: 8 }, () => client.live()));
    await expect(client.live()).rejects.toThrow('live: 409');
    eight[0]!.stop();
    let ninth: (typeof eight)[number] | null = null;
    await expect
      .poll(async () => {
        ninth = await client.live().catch(() => null);
        return ninth;
      })
      .not.toBeNull();
    for (const one of [...eight, ninth]) one?.stop();
  });

  it('lists the newest events first', async () => {
    device.reader.tap(CARD);
    device.reader.tap('00000000');
    const { body } = await client.ask('GET', '/events?limit=2');
    expect(body['data']).toMatchObject([{ kind: 'deny', reason: 'unknown_credential' }, {}]);
    for (const limit of ['0', 'x', '1001', '-1'])
      expect([limit, (await client.ask('GET', `/events?limit=${limit}`)).body['args']]).toEqual([
        limit,
        { field: 'limit' },
      ]);
  });

  it('packs a support bundle without anything that opens a door', async () => {
    device.keypad.press(`${PIN}#1234567#`);
    device.reader.tap(CARD);
    await client.ask('PUT', '/input_rules', { body: { input_rules: [rule('*77')] } });
    const { text, body, headers } = await client.ask('GET', '/support_bundle');
    const bundle = supportBundle.parse(body);
    expect(bundle).toMatchObject({ v: 1, profile: { product_id: 'laptop-simulator' }, input_rules: [rule('*77')] });
    expect(bundle.events.length).toBeGreaterThan(2);
    expect(bundle.clock_history.length).toBeGreaterThan(0);
    expect(bundle.log.length).toBeGreaterThan(0);
    expect(headers['content-disposition']).toContain('.json');
    const digests = new CredentialDigests(device.digestKey);
    const secrets = [
      PIN,
      '1234567',
      CARD,
      setupCode(),
      setupCode().replaceAll('-', ''),
      client.token!,
      Buffer.from(device.digestKey).toString('hex'),
      Buffer.from(device.digestKey).toString('base64url'),
      digests.pin(PIN as never),
      digests.card(CARD as never),
      'PRIVATE KEY',
    ];
    for (const secret of secrets) expect(text.includes(secret)).toBe(false);
  });
});

describe('input rules', () => {
  beforeEach(async () => {
    await serve([rule('')]);
    claim();
    await client.login({ pass: passOf() });
  });
  const put = (input_rules: unknown, base?: string) =>
    client.ask('PUT', '/input_rules', { body: { input_rules, ...(base === undefined ? {} : { base }) } });
  const get = async () => technicianRules.parse((await client.ask('GET', '/input_rules')).body);
  const answer = (outcome: string, input_rules: Rules, revision: number) =>
    device.controller.localRules.answered({ v: 1, outcome, message: 'why', revision, input_rules } as never);

  it('are read with the gadgets they can lead to', async () => {
    expect(await get()).toMatchObject({
      device_id: 'dev_own',
      input_rules: [rule('')],
      pending: false,
      conflict: null,
      destinations: [
        { gadget_id: 'gad_door', is_own: true },
        { gadget_id: 'gad_garage', is_own: false, device_id: 'dev_other' },
      ],
    });
  });

  it('hold at once and after a restart, are told to the bridge and recorded with the technician', async () => {
    device.keypad.press(PIN);
    expect(device.outputs.isOn('strike-0')).toBe(true);
    device.outputs.release('strike-0');
    const { status, body } = await put([rule('*1')]);
    expect([status, body]).toMatchObject([200, { input_rules: [rule('*1')], pending: true }]);
    device.keypad.press(`${PIN}#`);
    expect(device.outputs.isOn('strike-0')).toBe(false);
    device.keypad.press(`*1${PIN}`);
    expect(device.outputs.isOn('strike-0')).toBe(true);
    const told = { v: 1, base_revision: 1, pass_id: 'pass_1', user_id: 'usr_tina', input_rules: [rule('*1')] };
    expect(device.controller.localRules.pending()).toMatchObject(told);
    const { body: events } = await client.ask('GET', '/events');
    expect(events['data']).toContainEqual(
      expect.objectContaining({ kind: 'rules_edited', subject: { user_id: 'usr_tina' } }),
    );
    await close();
    await open();
    await client.login({ pass: passOf() });
    expect(await get()).toMatchObject({ input_rules: [rule('*1')], pending: true });
    expect(device.controller.localRules.pending()).toMatchObject(told);
  });

  it('are refused with the place of what is wrong', async () => {
    const refused = async (rules: unknown) => {
      const { status, body } = await put(rules);
      return [status, body['args']];
    };
    expect(await refused([rule('1'), rule('12')])).toEqual([400, { field: 'input_rules.1.code' }]);
    expect(await refused([rule('a')])).toEqual([400, { field: 'input_rules.0.code' }]);
    expect(await refused([rule('', 'gad_none')])).toEqual([400, { field: 'input_rules.0.gadget_id' }]);
    expect(await refused([rule('', 'gad_door', 'fly')])).toEqual([400, { field: 'input_rules.0.action_id' }]);
    expect(await refused('x')).toEqual([400, { field: 'input_rules' }]);
    expect(await refused(Array.from({ length: 501 }, (_, n) => rule(`*${n + 1000}`)))).toEqual([
      400,
      { field: 'input_rules' },
    ]);
    const { body } = await client.ask('POST', '/input_rules/check', {
      body: { input_rules: [rule('x'), rule('', 'gad_none')] },
    });
    expect(body).toMatchObject({
      ok: false,
      problems: [
        { path: 'input_rules.0.code', code: 'invalid_code' },
        { path: 'input_rules.1.gadget_id', code: 'unknown_gadget' },
      ],
    });
    expect(await get()).toMatchObject({ input_rules: [rule('')], pending: false });
  });

  it('of two technicians at once, the second is told', async () => {
    const { base } = await get();
    expect((await put([rule('*1')], base)).status).toBe(200);
    const late = await put([rule('*2')], base);
    expect([late.status, late.body]).toMatchObject([409, { type: 'conflict', args: { reason: 'changed_meanwhile' } }]);
    expect((await get()).input_rules).toEqual([rule('*1')]);
  });

  it('stay in force over a slice that comes with others, until the bridge has answered', async () => {
    await put([rule('*1')]);
    device.controller.localRules.pending();
    await serve([rule('*9')], 5);
    expect(await get()).toMatchObject({ input_rules: [rule('*1')], pending: true });
    answer('accepted', [rule('*1')], 7);
    expect(await get()).toMatchObject({ input_rules: [rule('*1')], pending: false, conflict: null });
    await serve([rule('*1')], 7);
    await serve([rule('*5')], 8);
    expect((await get()).input_rules).toEqual([rule('*5')]);
  });

  it('that met others from the desk are kept for a person to settle', async () => {
    await put([rule('*1')]);
    device.controller.localRules.pending();
    answer('superseded', [rule('*9')], 6);
    const met = { input_rules: [rule('*9')], pending: false, conflict: { yours: [rule('*1')], theirs: [rule('*9')] } };
    expect(await get()).toMatchObject(met);
    await serve([rule('*9')], 6);
    await close();
    await open();
    await client.login({ pass: passOf() });
    expect(await get()).toMatchObject(met);
    const blind = await put([rule('*3')]);
    expect([blind.status, blind.body['args']]).toEqual([409, { reason: 'unsettled_conflict' }]);
    const settled = await client.ask('POST', '/input_rules/conflict', { body: { keep: 'yours' } });
    expect(settled.body).toMatchObject({ input_rules: [rule('*1')], pending: true, conflict: null });
    expect(device.controller.localRules.pending()).toMatchObject({ base_revision: 6, input_rules: [rule('*1')] });
    answer('superseded', [rule('*8')], 9);
    expect((await client.ask('POST', '/input_rules/conflict', { body: { keep: 'theirs' } })).body).toMatchObject({
      input_rules: [rule('*8')],
      conflict: null,
    });
    expect((await client.ask('POST', '/input_rules/conflict', { body: { keep: 'theirs' } })).status).toBe(409);
  });

  it('merged by somebody who has seen both settle the conflict too', async () => {
    await put([rule('*1')]);
    device.controller.localRules.pending();
    answer('superseded', [rule('*9')], 6);
    const { base } = await get();
    const { body } = await put([rule('*1'), rule('*9')], base);
    expect(body).toMatchObject({ conflict: null, pending: true });
  });
});

describe('trying things out', () => {
  beforeEach(async () => {
    await serve();
    claim();
    await client.login({ pass: passOf() });
  });
  const pulse = (output: string, ms: unknown) => client.ask('POST', `/outputs/${output}/pulse`, { body: { ms } });

  it('pulses a line that no gadget hangs on, one at a time, and records it', async () => {
    expect((await pulse('red', 100)).status).toBe(200);
    expect(device.outputs.isOn('red')).toBe(true);
    expect((await pulse('green', 100)).body['args']).toEqual({ reason: 'busy' });
    await expect.poll(async () => (await pulse('green', 100)).status).toBe(200);
    const { body } = await client.ask('GET', '/events');
    expect(body['data']).toContainEqual(
      expect.objectContaining({
        kind: 'output_tested',
        subject: { user_id: 'usr_tina' },
        detail: 'red for 100 ms (technician, pass pass_1)',
      }),
    );
  });

  it('moves what hangs on a gadget through its actions only', async () => {
    const strike = await pulse('strike-0', 500);
    expect([strike.status, strike.body['args']]).toEqual([409, { reason: 'gadget', gadget_id: 'gad_door' }]);
    expect(device.outputs.isOn('strike-0')).toBe(false);
    const done = await client.ask('POST', '/gadgets/gad_door/actions/open', { body: {} });
    expect([done.status, done.body]).toEqual([200, { event_id: expect.stringMatching(/^evt?_|^ev/) }]);
    expect(device.outputs.isOn('strike-0')).toBe(true);
    const { body } = await client.ask('GET', '/events');
    expect(body['data']).toContainEqual(
      expect.objectContaining({ id: done.body['event_id'], kind: 'use', subject: { user_id: 'usr_tina' } }),
    );
  });

  it('knows its limits', async () => {
    for (const ms of [99, 5_001, 1.5, '500', null]) expect([ms, (await pulse('red', ms)).status]).toEqual([ms, 400]);
    expect((await pulse('no-such', 500)).status).toBe(404);
    expect((await client.ask('POST', '/gadgets/gad_door/actions/fly', { body: {} })).status).toBe(404);
    expect((await client.ask('POST', '/gadgets/gad_garage/actions/open', { body: {} })).status).toBe(404);
  });
});

it('takes another port when its own is taken', async () => {
  const { port } = new URL(technician.url);
  const second = await startTechnician({
    dataDir: folder,
    device,
    productId: 'laptop-simulator',
    log: () => undefined,
    host: '127.0.0.1',
    port: Number(port),
    console: () => undefined,
  });
  expect(new URL(second.url).port).not.toBe(port);
  await second.stop();
});

it('stops at once, whoever is connected and says nothing', async () => {
  await client.login({ code: setupCode() });
  const { ended } = await client.live();
  const silent = connectPlain(Number(new URL(technician.url).port), '127.0.0.1');
  await once(silent, 'connect');
  const cut = once(silent, 'close');
  await technician.stop();
  await Promise.all([cut, ended]);
});
