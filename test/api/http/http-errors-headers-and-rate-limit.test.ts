import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registeredRoutes } from '../../security/api-routes.ts';
import { TestBridge, type TestOrganizationClient } from '../../support/bridge/test-bridge.ts';

describe('HTTP layer', () => {
  let bridge: TestBridge;
  let client: TestOrganizationClient;
  beforeAll(async () => {
    bridge = await TestBridge.open();
    client = await bridge.newOrganization();
  });
  afterAll(() => bridge.close());

  const inject = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS',
    url: string,
    { payload, ...headers }: Record<string, string> = {},
  ) => {
    const answer = await bridge.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${client.token}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    const body: unknown = answer.payload.startsWith('{') ? JSON.parse(answer.payload) : answer.payload;
    return { status: answer.statusCode, headers: answer.headers, body };
  };
  const json = { 'content-type': 'application/json' };

  it('responds 405 with the allowed methods to a wrong method', async () => {
    const answer = await inject('PUT', '/v2/members');
    expect(answer).toMatchObject({ status: 405, body: { type: 'method_not_allowed', args: {} } });
    expect(answer.headers['allow']).toBe('GET, HEAD, POST');
    expect((await inject('OPTIONS', '/v2/members/mem_1')).status).toBe(405);
  });

  it('responds 404 to an unknown path and to an overlong id', async () => {
    for (const url of ['/v2/nothing', '/nothing', `/v2/members/${'x'.repeat(500)}`, '/v2/members/a%00b']) {
      expect(await inject('GET', url)).toMatchObject({ status: 404, body: { type: 'not_found', args: {} } });
    }
  });

  it('responds 400 to a path that cannot be decoded', async () => {
    const answer = await inject('GET', '/v2/members/%ff%zz');
    expect(answer).toMatchObject({ status: 400, body: { type: 'invalid_request', args: {} } });
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });

  it('names the query parameter that contains a null character', async () => {
    expect(await inject('GET', '/v2/members?email=a%00b')).toMatchObject({
      status: 400,
      body: { type: 'invalid_request', args: { field: 'email' } },
    });
  });

  it('rejects null as a body', async () => {
    const answer = await inject('POST', '/v2/members', { ...json, payload: 'null' });
    expect(answer).toMatchObject({ status: 400, body: { type: 'invalid_request' } });
  });

  it('accepts only JSON', async () => {
    const answer = await inject('POST', '/v2/members', { 'content-type': 'text/plain', payload: 'name=Ann' });
    expect(answer).toMatchObject({ status: 415, body: { type: 'unsupported_media_type', args: {} } });
  });

  it('rejects a compressed body on every route that takes a body', async () => {
    await bridge.app.ready();
    const routes = registeredRoutes(bridge.app).filter(route => /^(POST|PUT|PATCH|DELETE) /.test(route));
    expect(routes.length).toBeGreaterThan(100);
    for (const route of routes) {
      const [method, path] = route.split(' ') as ['POST', string];
      const answer = await inject(method, path, { ...json, 'content-encoding': 'gzip', payload: '{}' });
      expect([route, answer.status, answer.headers['accept-encoding']]).toEqual([route, 415, 'identity']);
    }
    const plain = await inject('POST', '/v2/members', {
      ...json,
      'content-encoding': 'identity',
      payload: '{"name":"a"}',
    });
    expect(plain.status).toBe(200);
  });

  it.each([
    ['a deep body', 'POST', '/guest/v1/login', '{"a":'.repeat(20_000) + '{"__proto__":1}' + '}'.repeat(20_000)],
    ['a long field name', 'POST', '/v2/members', JSON.stringify({ ['ü'.repeat(100_000)]: 1 })],
    ['a deep metadata key', 'POST', '/v2/members', JSON.stringify({ name: 'a', metadata: { ['x'.repeat(9_000)]: 1 } })],
    ['a long parameter name', 'GET', `/v2/members?${'p'.repeat(9_000)}=1`, undefined],
    ['a long parameter value', 'GET', `/v2/members?expand=${'e'.repeat(9_000)}`, undefined],
    ['a long address', 'GET', `/v2/members/x/${'n'.repeat(9_000)}`, undefined],
    ['a long cursor', 'GET', `/v2/events?starting_after=${'c'.repeat(9_000)}`, undefined],
  ] as const)('repeats at most 200 characters of %s', async (_, method, url, payload) => {
    const { status, body } = await inject(method, url, { ...json, ...(payload === undefined ? {} : { payload }) });
    expect(status).toBeGreaterThanOrEqual(400);
    const { message, args } = body as { message: string; args: Record<string, string> };
    expect(message).not.toMatch(/(.)\1{200}|(\.a){100}/);
    for (const value of Object.values(args)) expect(value.length).toBeLessThanOrEqual(200);
  });

  it('repeats at most 200 characters in OAuth errors', async () => {
    const token = { grant_type: 'g'.repeat(50_000), client_id: client.applicationId };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [method, url, payload] of [
      ['POST', '/oauth2/token', new URLSearchParams(token).toString()],
      ['GET', `/oauth2/authorize?client_id=${'c'.repeat(9_000)}`, undefined],
      ['GET', `/oauth2/authorize?scope=${'s'.repeat(9_000)}`, undefined],
    ] as const) {
      const { status, body } = await inject(method, url, { ...form, ...(payload === undefined ? {} : { payload }) });
      expect([url.slice(0, 30), status >= 400, JSON.stringify(body).match(/(.)\1{200}/)]).toEqual([
        url.slice(0, 30),
        true,
        null,
      ]);
    }
  });

  it.each(['{', '{"name":"a"', 'nul', '"\\ud800', '[1,]'])('rejects the malformed body %s', async payload => {
    const answer = await inject('POST', '/v2/members', { ...json, payload });
    expect(answer).toMatchObject({ status: 400, body: { type: 'invalid_request', args: {} } });
  });

  it('rejects a body of more than 256 KB', async () => {
    const payload = JSON.stringify({ name: 'x'.repeat(256 * 1024) });
    const answer = await inject('POST', '/v2/members', { ...json, payload });
    expect(answer).toMatchObject({ status: 413, body: { type: 'payload_too_large', args: {} } });
  });

  it.each([
    ['arrays', '['.repeat(120_000) + ']'.repeat(120_000)],
    ['objects', '{"metadata":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
    ['keys', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['a prototype', '{"__proto__":{"name":"a"},"metadata":{"constructor":{}}}'],
  ])('rejects a body with excessive %s', async (_, payload) => {
    for (const headers of [json, { ...json, 'idempotency-key': 'bomb' }]) {
      expect(await inject('POST', '/v2/members', { ...headers, payload })).toMatchObject({
        status: 400,
        body: { type: 'invalid_request' },
      });
    }
  });

  it('authenticates before it parses the body', async () => {
    const answer = await inject('POST', '/v2/members', { authorization: 'Bearer lat_nobody', ...json, payload: '{' });
    expect(answer).toMatchObject({ status: 401, body: { type: 'unauthorized' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  it('asks for a token without naming an error when there is none (RFC 6750, section 3.1)', async () => {
    const { statusCode, headers } = await bridge.app.inject({ url: '/v2/members' });
    expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  it.each([
    ['', 'Bearer'],
    ['Basic YTpi', 'Bearer'],
    ['lat_x', 'Bearer'],
    ['Bearer', 'Bearer error="invalid_token"'],
    ['Bearer a b', 'Bearer error="invalid_token"'],
    ['Bearer lat_unknown', 'Bearer error="invalid_token"'],
  ])('rejects the authorization "%s"', async (authorization, challenge) => {
    const answer = await inject('GET', '/v2/members', { authorization });
    expect(answer).toMatchObject({ status: 401, body: { type: 'unauthorized', args: {} } });
    expect(answer.headers['www-authenticate']).toBe(challenge);
  });

  it.each(['Bearer key_123', 'key_123'])('rejects the legacy key %s with its own error type', async authorization => {
    expect(await inject('GET', '/v2/members', { authorization })).toMatchObject({
      status: 401,
      body: { type: 'legacy_api_key_disabled' },
    });
  });

  it('rejects a token after one hour and after its revocation', async () => {
    const other = await bridge.newOrganization();
    expect((await other.get('/members')).status).toBe(200);
    bridge.advanceSeconds(3599);
    expect((await other.get('/members')).status).toBe(200);
    bridge.advanceSeconds(1);
    expect((await other.get('/members')).status).toBe(401);
    const revoked = await bridge.newOrganization();
    await bridge.services.storage.writer
      .deleteFrom('oauth_tokens')
      .where('organization_id', '=', revoked.organizationId)
      .execute();
    expect((await revoked.get('/members')).status).toBe(401);
    client = await bridge.newOrganization();
  });

  it('sends security headers', async () => {
    const { headers } = await inject('GET', '/v2/members');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect((await inject('GET', '/docs')).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });

  it('responds with a JSON error to input that is not HTTP, and keeps running', async () => {
    await bridge.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = bridge.app.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', chunk => {
      text += String(chunk);
    });
    socket.write('NOT HTTP\r\n\r\n');
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ type: 'invalid_request', args: {} });
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  });
});

describe('rate limit', () => {
  it('counts all spellings of the Authorization header together', async () => {
    const bridge = await TestBridge.open({ rateLimit: { perSecond: 0.01, burst: 3 } });
    const { token } = await bridge.newOrganization();
    const statuses: number[] = [];
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token}`, `bEaReR ${token} `]) {
      statuses.push((await bridge.app.inject({ url: '/v2/members', headers: { authorization } })).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    await bridge.close();
  });

  it('applies per token and sends Retry-After', async () => {
    const bridge = await TestBridge.open({ rateLimit: { perSecond: 0.01, burst: 3 } });
    const [one, other] = [await bridge.newOrganization(), await bridge.newOrganization()];
    for (let count = 0; count < 3; count++) expect((await one.get('/members')).status).toBe(200);
    const refused = await one.get('/members');
    expect(refused).toMatchObject({ status: 429, body: { type: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect((await other.get('/members')).status).toBe(200);
    await bridge.close();
  });

  it('tells how many requests are left', async () => {
    const bridge = await TestBridge.open({ rateLimit: { perSecond: 0.01, burst: 3 } });
    const client = await bridge.newOrganization();
    const told: unknown[] = [];
    for (let count = 0; count < 4; count++) {
      const { status, headers } = await client.get('/members');
      told.push([status, headers['ratelimit-limit'], headers['ratelimit-remaining']]);
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(99);
    }
    expect(told).toEqual([
      [200, '3', '2'],
      [200, '3', '1'],
      [200, '3', '0'],
      [429, '3', '0'],
    ]);
    await bridge.close();
  });

  it('applies to all tokens of an organization together, at ten times the limit of one', async () => {
    const bridge = await TestBridge.open({ rateLimit: { perSecond: 0.01, burst: 3 } });
    const [{ organizationId }, other] = [await bridge.newOrganization(), await bridge.newOrganization()];
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) {
      const { token } = await bridge.newApplication(organizationId);
      const headers = { authorization: `Bearer ${token}` };
      const urls = ['/v2/members', `/admin/v1/organizations/${organizationId}/tags`, '/v2/events'];
      for (const url of urls) statuses.push((await bridge.app.inject({ url, headers })).statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429, 429, 429]);
    expect((await other.get('/members')).status).toBe(200);
    await bridge.close();
  });
});
