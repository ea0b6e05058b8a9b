import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BridgeWorld, type OrganizationClient } from '../../support/bridge/bridge-world.ts';

/** What HTTP itself asks of the API, whatever the resource. */
describe('the HTTP surroundings', () => {
  let world: BridgeWorld;
  let client: OrganizationClient;
  beforeAll(async () => {
    world = await BridgeWorld.open();
    client = await world.newOrganization();
  });
  afterAll(() => world.close());

  const inject = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS',
    url: string,
    { payload, ...headers }: Record<string, string> = {},
  ) => {
    const answer = await world.bridge.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${client.token}`, ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    const body: unknown = answer.payload.startsWith('{') ? JSON.parse(answer.payload) : answer.payload;
    return { status: answer.statusCode, headers: answer.headers, body };
  };
  const json = { 'content-type': 'application/json' };

  it('answers a wrong method with 405 and what is allowed', async () => {
    const answer = await inject('PUT', '/v2/members');
    expect(answer).toMatchObject({ status: 405, body: { type: 'method_not_allowed', args: {} } });
    expect(answer.headers['allow']).toBe('GET, HEAD, POST');
    expect((await inject('OPTIONS', '/v2/members/mem_1')).status).toBe(405);
  });

  it('answers an unknown address, and an id longer than any, with 404', async () => {
    for (const url of ['/v2/nothing', '/', `/v2/members/${'x'.repeat(500)}`, '/v2/members/a%00b']) {
      expect(await inject('GET', url)).toMatchObject({ status: 404, body: { type: 'not_found', args: {} } });
    }
  });

  it('answers an address that cannot be decoded with 400', async () => {
    const answer = await inject('GET', '/v2/members/%ff%zz');
    expect(answer).toMatchObject({ status: 400, body: { type: 'invalid_request', args: {} } });
    expect(answer.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });

  it('names the query parameter that no database could hold', async () => {
    expect(await inject('GET', '/v2/members?email=a%00b')).toMatchObject({
      status: 400,
      body: { type: 'invalid_request', args: { field: 'email' } },
    });
  });

  it('takes no null for a body', async () => {
    const answer = await inject('POST', '/v2/members', { ...json, payload: 'null' });
    expect(answer).toMatchObject({ status: 400, body: { type: 'invalid_request' } });
  });

  it('takes JSON only', async () => {
    const answer = await inject('POST', '/v2/members', { 'content-type': 'text/plain', payload: 'name=Ann' });
    expect(answer).toMatchObject({ status: 415, body: { type: 'unsupported_media_type', args: {} } });
  });

  it.each(['{', '{"name":"a"', 'nul', '"\\ud800', '[1,]'])('refuses the malformed body %s', async payload => {
    const answer = await inject('POST', '/v2/members', { ...json, payload });
    expect(answer).toMatchObject({ status: 400, body: { type: 'invalid_request', args: {} } });
  });

  it('refuses a body of more than 256 KB', async () => {
    const payload = JSON.stringify({ name: 'x'.repeat(256 * 1024) });
    const answer = await inject('POST', '/v2/members', { ...json, payload });
    expect(answer).toMatchObject({ status: 413, body: { type: 'payload_too_large', args: {} } });
  });

  it.each([
    ['arrays', '['.repeat(120_000) + ']'.repeat(120_000)],
    ['objects', '{"metadata":'.repeat(20_000) + '1' + '}'.repeat(20_000)],
    ['keys', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['a prototype', '{"__proto__":{"name":"a"},"metadata":{"constructor":{}}}'],
  ])('is not brought down by nested %s', async (_, payload) => {
    for (const headers of [json, { ...json, 'idempotency-key': 'bomb' }]) {
      expect(await inject('POST', '/v2/members', { ...headers, payload })).toMatchObject({
        status: 400,
        body: { type: 'invalid_request' },
      });
    }
  });

  it('asks who is there before it reads a body', async () => {
    const answer = await inject('POST', '/v2/members', { authorization: 'Bearer lat_nobody', ...json, payload: '{' });
    expect(answer).toMatchObject({ status: 401, body: { type: 'unauthorized' } });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it.each(['', 'Basic YTpi', 'Bearer', 'Bearer a b', 'lat_x'])(
    'refuses the authorization "%s"',
    async authorization => {
      const answer = await inject('GET', '/v2/members', { authorization });
      expect(answer).toMatchObject({ status: 401, body: { type: 'unauthorized', args: {} } });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    },
  );

  it.each(['Bearer key_123', 'key_123'])('says that legacy keys are over: %s', async authorization => {
    expect(await inject('GET', '/v2/members', { authorization })).toMatchObject({
      status: 401,
      body: { type: 'legacy_api_key_disabled' },
    });
  });

  it('refuses a token after its hour and after it is revoked', async () => {
    const other = await world.newOrganization();
    expect((await other.get('/members')).status).toBe(200);
    world.passSeconds(3599);
    expect((await other.get('/members')).status).toBe(200);
    world.passSeconds(1);
    expect((await other.get('/members')).status).toBe(401);
    const revoked = await world.newOrganization();
    await world.bridge.services.storage.writer
      .deleteFrom('oauth_tokens')
      .where('organization_id', '=', revoked.organizationId)
      .execute();
    expect((await revoked.get('/members')).status).toBe(401);
    client = await world.newOrganization();
  });

  it('sends the headers that keep a browser from misusing an answer', async () => {
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

  it('answers what is not HTTP at all in the form of every error, and goes on', async () => {
    await world.bridge.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.bridge.app.server.address() as AddressInfo;
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

describe('a rate limit', () => {
  it('is kept for each token and says when to come back', async () => {
    const world = await BridgeWorld.open({ rateLimit: { perSecond: 0.01, burst: 3 } });
    const [one, other] = [await world.newOrganization(), await world.newOrganization()];
    for (let count = 0; count < 3; count++) expect((await one.get('/members')).status).toBe(200);
    const refused = await one.get('/members');
    expect(refused).toMatchObject({ status: 429, body: { type: 'rate_limited' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50);
    expect((await other.get('/members')).status).toBe(200);
    await world.close();
  });
});
