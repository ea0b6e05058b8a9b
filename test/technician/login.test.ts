import { generateKeyPairSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TechnicianApiFixture } from '../support/technician/technician-api-fixture.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

let door: TechnicianApiFixture;
beforeEach(async () => {
  door = await TechnicianApiFixture.create();
});
afterEach(() => door.remove());

describe('technician API login', () => {
  it('returns only its public facts without a session', async () => {
    const { status, body, headers } = await door.client.call('GET', '/hello');
    expect([status, body]).toEqual([
      200,
      {
        product_id: 'laptop-simulator',
        name: door.technician.name,
        claimed: false,
        firmware: '0.1.0',
        fingerprint: door.technician.fingerprint,
        device_id: null,
        bridge_url: null,
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
      ['POST', '/input_rules/confirm'],
      ['POST', '/input_rules/revert'],
      ['POST', '/input_rules/try'],
      ['POST', '/input_rules/copy'],
      ['GET', '/commissioning'],
      ['POST', '/commissioning'],
      ['POST', '/outputs/red/pulse'],
      ['POST', '/gadgets/gad_door/actions/open'],
      ['POST', '/logout'],
    ] as const;
    for (const [method, path] of closed) {
      const answer = await door.client.call(method, path, method === 'GET' ? {} : { body: {} });
      expect([path, answer.status, answer.body]).toEqual([
        path,
        401,
        { type: 'unauthorized', message: expect.any(String), args: {} },
      ]);
    }
    door.client.token = 'A'.repeat(43);
    expect((await door.client.call('GET', '/status')).status).toBe(401);
  });

  it('serves the certificate of its fingerprint and keeps it over a restart', async () => {
    const shown = await new Promise<{ print: string; names: string; curve: string | undefined }>(resolve => {
      const socket = connect({ port: Number(new URL(door.technician.url).port), rejectUnauthorized: false }, () => {
        const { fingerprint256, subjectaltname = '', asn1Curve } = socket.getPeerCertificate();
        resolve({ print: fingerprint256, names: subjectaltname, curve: asn1Curve });
        socket.destroy();
      });
    });
    expect(shown).toEqual({
      print: door.technician.fingerprint,
      names: expect.stringContaining(`DNS:${door.technician.name}.local`),
      curve: 'prime256v1',
    });
    const before = door.technician.fingerprint;
    await door.close();
    await door.open();
    expect(door.technician.fingerprint).toBe(before);
    for (const name of ['key.pem', 'certificate.pem', 'setup-code'])
      expect(statSync(join(door.folder, 'technician', name)).mode & 0o077).toBe(0);
  });

  it('accepts the setup code in any spelling and sets a host-only cookie', async () => {
    expect(door.printed.join()).toContain(door.setupCode);
    const { status, body, headers } = await door.client.login({
      code: ` ${door.setupCode.toLowerCase().replaceAll('-', ' ')}`,
    });
    expect([status, body]).toEqual([
      200,
      { token: expect.any(String), by: 'code', user_id: null, expires_at: expect.any(String), idle_seconds: 1800 },
    ]);
    const [cookie = ''] = headers['set-cookie'] ?? [];
    expect(cookie).toMatch(
      /^__Host-lintel_technician=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict; Max-Age=28800$/,
    );
    expect((await door.client.call('GET', '/status')).status).toBe(200);
    door.client.token = null;
    const headersOfBrowser = { cookie: cookie.split(';')[0]! };
    expect((await door.client.call('GET', '/status', { headers: headersOfBrowser })).status).toBe(200);
    await door.client.call('POST', '/logout', { headers: headersOfBrowser });
    expect((await door.client.call('GET', '/status', { headers: headersOfBrowser })).status).toBe(401);
  });

  it('locks after five wrong codes, longer each time, also over a restart, up to 15 minutes', async () => {
    const wrong = async () => (await door.client.login({ code: '0000-0000-0000' })).status;
    for (let tries = 0; tries < 5; tries++) expect(await wrong()).toBe(401);
    const locked = await door.client.login({ code: door.setupCode });
    expect([locked.status, locked.body['type'], locked.headers['retry-after']]).toEqual([429, 'rate_limited', '30']);
    door.clock.at += 29_999;
    expect((await door.client.login({ code: door.setupCode })).headers['retry-after']).toBe('1');
    door.clock.at += 1;
    expect(await wrong()).toBe(401);
    await door.close();
    door.clock.at = 5;
    await door.open();
    expect((await door.client.login({ code: door.setupCode })).headers['retry-after']).toBe('60');
    for (let tries = 0; tries < iterations({ sample: 6, all: 40 }); tries++) {
      door.clock.at += 15 * 60_000;
      expect(await wrong()).toBe(401);
      expect(Number((await door.client.login({ code: door.setupCode })).headers['retry-after'])).toBeLessThanOrEqual(
        900,
      );
    }
    door.clock.at += 15 * 60_000;
    expect((await door.client.login({ code: door.setupCode })).status).toBe(200);
  });

  it('accepts a pass of its site after the claim, also while the code is locked', async () => {
    expect((await door.client.login({ pass: door.passOf() })).status).toBe(401);
    expect((await door.client.call('POST', '/challenge')).status).toBe(401);
    door.claim();
    expect((await door.client.login({ code: door.setupCode })).status).toBe(401);
    door.technician.pressSetupButton();
    for (let tries = 0; tries < 6; tries++) await door.client.login({ code: 'nonsense' });
    expect((await door.client.login({ code: door.setupCode })).status).toBe(429);
    door.technician.pressSetupButton();
    expect((await door.client.login({ code: door.setupCode })).status).toBe(200);
    for (let tries = 0; tries < 6; tries++) await door.client.login({ code: 'nonsense' });
    expect((await door.client.login({ code: door.setupCode })).status).toBe(429);
    const { status, body } = await door.client.login({ pass: door.passOf() });
    expect([status, body]).toMatchObject([200, { by: 'pass', user_id: 'usr_tina' }]);
    const refused: [string, string][] = [
      [door.passOf({ site_id: 'site_2' }), 'another site'],
      [door.passOf({ organization_id: 'org_2' }), 'another site'],
      [door.passOf({ device_id: 'dev_other' }), 'another controller'],
      [door.passOf({ expires_at: door.device.time.now() }), 'has expired'],
      [door.passOf({}, generateKeyPairSync('ed25519').privateKey), 'not valid'],
      ['nonsense', 'not valid'],
    ];
    for (const [pass, why] of refused) {
      const answer = await door.client.login({ pass });
      expect([answer.status, answer.body['message']]).toEqual([401, expect.stringContaining(why)]);
    }
  });

  it('accepts the setup code for 15 minutes after the button was pressed', async () => {
    door.claim();
    expect((await door.client.call('GET', '/hello')).body['login']).toEqual(['pass']);
    door.device.inputs.press('setup');
    expect((await door.client.call('GET', '/hello')).body['login']).toEqual(['code', 'pass']);
    door.clock.at += 15 * 60_000 - 1;
    expect((await door.client.login({ code: door.setupCode })).status).toBe(200);
    door.clock.at += 1;
    expect((await door.client.login({ code: door.setupCode })).status).toBe(401);
  });

  it('ends a session after 30 idle minutes, after eight hours, and with its pass', async () => {
    door.claim();
    const isIn = async () => (await door.client.call('GET', '/status')).status === 200;
    await door.client.login({ pass: door.passOf() });
    door.clock.at += 29 * 60_000;
    expect(await isIn()).toBe(true);
    door.clock.at += 30 * 60_000;
    expect(await isIn()).toBe(false);
    await door.client.login({ pass: door.passOf() });
    for (let half = 0; half < 16; half++) {
      door.clock.at += 29 * 60_000;
      expect(await isIn()).toBe(true);
    }
    door.clock.at += 16 * 60_000;
    expect(await isIn()).toBe(false);
    await door.client.login({ pass: door.passOf({ expires_at: door.device.time.now() + 60_000 }) });
    door.clock.at += 61_000;
    expect(await isIn()).toBe(false);
  });

  it('rejects requests of other origins and for other host names', async () => {
    await door.client.login({ code: door.setupCode });
    const status = async (headers: Record<string, string>) =>
      (await door.client.call('GET', '/status', { headers })).status;
    const { host, port } = new URL(door.technician.url);
    expect(await status({ origin: `https://${host}` })).toBe(200);
    expect(await status({ host: `${door.technician.name}.local:${port}` })).toBe(200);
    expect(await status({ host: 'evil.example' })).toBe(403);
    expect(await status({ host: 'user@127.0.0.1' })).toBe(403);
    expect(await status({ origin: 'https://evil.example' })).toBe(403);
    expect(await status({ origin: `http://${host}` })).toBe(403);
    expect(await status({ origin: 'null' })).toBe(403);
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
  });

  it('names the error of an invalid request', async () => {
    const errors = async (
      method: string,
      path: string,
      options: { body?: unknown; headers?: Record<string, string> },
    ) => {
      const { status, body } = await door.client.call(method, path, options);
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
    expect(await errors('POST', '/login', { body: {}, headers: { 'content-encoding': 'gzip' } })).toEqual([
      415,
      'unsupported_media_type',
      {},
    ]);
    const huge = { code: 'x'.repeat(300_000) };
    expect(await errors('POST', '/login', { body: huge })).toEqual([413, 'payload_too_large', {}]);
  });
});
