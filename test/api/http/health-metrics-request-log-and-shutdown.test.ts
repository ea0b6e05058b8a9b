import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createBridgeLogger } from '@lintel/cloud-bridge/testing';
import { TestBridge, type TestOrganizationClient } from '../../support/bridge/test-bridge.ts';
import { describeOnBothDatabases } from '../../support/bridge/describe-on-both-databases.ts';

const METRICS_TOKEN = 'token-of-the-monitoring';

describeOnBothDatabases(
  'health',
  bridge => {
    it('reports that the process runs and the database responds', async () => {
      for (const url of ['/healthz', '/readyz']) {
        const answer = await bridge().app.inject({ url });
        expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
      }
    });

    it('exposes metrics without ids', async () => {
      const client = await bridge().newOrganization();
      const { id } = await client.callOk('POST', '/members', {});
      await client.get(`/members/${id}`);
      await client.get(`/nothing/${id}`);
      const authorization = `Bearer ${METRICS_TOKEN}`;
      const { payload, headers } = await bridge().app.inject({ url: '/metrics', headers: { authorization } });
      expect(headers['content-type']).toContain('text/plain');
      expect(payload).toMatch(
        /lintel_http_request_duration_seconds_count\{method="GET",route="\/v2\/members\/:member_id",status="200"\} [1-9]/,
      );
      expect(payload).toMatch(/lintel_http_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1/);
      expect(payload).toMatch(/lintel_commit_group_size_count [1-9]/);
      expect(payload).toMatch(/lintel_database_connections\{engine="\w+",state="open"\} [1-9]/);
      expect(payload).toMatch(/lintel_event_loop_lag_seconds\{percentile="99"\} /);
      for (const secret of [id, client.organizationId, client.applicationId]) expect(payload).not.toContain(secret);
    });
  },
  { metricsToken: METRICS_TOKEN },
);

describe('metrics', () => {
  it('do not exist without a token, whatever the address', async () => {
    const bridge = await TestBridge.open();
    onTestFinished(() => bridge.close());
    for (const remoteAddress of ['127.0.0.1', '192.0.2.7'])
      expect((await bridge.app.inject({ url: '/metrics', remoteAddress })).statusCode).toBe(404);
  });

  it('require the configured token', async () => {
    const bridge = await TestBridge.open({ metricsToken: METRICS_TOKEN });
    onTestFinished(() => bridge.close());
    const call = (headers: Record<string, string>) => bridge.app.inject({ url: '/metrics', headers });
    expect(await call({})).toMatchObject({ statusCode: 401, headers: { 'www-authenticate': 'Bearer' } });
    expect((await call({ authorization: 'Bearer wrong' })).statusCode).toBe(401);
    expect((await call({ authorization: `Bearer ${METRICS_TOKEN}` })).statusCode).toBe(200);
  });

  it('have a port of their own, which serves nothing else', async () => {
    const bridge = await TestBridge.open();
    onTestFinished(() => bridge.close());
    const address = `http://127.0.0.1:${await bridge.bridge.listenForMetrics('127.0.0.1', 0)}`;
    expect(await (await fetch(`${address}/metrics`)).text()).toContain('process_resident_memory_bytes');
    expect((await fetch(`${address}/v2/members`)).status).toBe(404);
  });
});

describe('Strict-Transport-Security', () => {
  it('is sent with HTTPS only', async () => {
    const bridge = await TestBridge.open({ trustedProxies: ['127.0.0.1'] });
    onTestFinished(() => bridge.close());
    const call = (headers: Record<string, string>) => bridge.app.inject({ url: '/healthz', headers });
    expect((await call({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' })).headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
    });
    expect((await call({})).headers).not.toHaveProperty('strict-transport-security');
  });
});

describe('request log', () => {
  const lines: string[] = [];
  let bridge: TestBridge;
  let client: TestOrganizationClient;
  beforeAll(async () => {
    const destination = { write: (text: string) => lines.push(text) };
    bridge = await TestBridge.open({ logger: createBridgeLogger(destination, 'debug', 'json') });
    client = await bridge.newOrganization();
  });
  afterAll(() => bridge.close());

  it('has one line per request with route and client, without parameters', async () => {
    lines.length = 0;
    const { headers } = await client.get('/members/mem_secret?expand=pins');
    expect(lines).toHaveLength(1);
    const { time, ms, ...line } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(ms).toBeTypeOf('number');
    expect(line).toEqual({
      level: 'info',
      msg: 'request',
      method: 'GET',
      route: '/v2/members/:member_id',
      status: 404,
      request_id: headers['x-request-id'],
      organization_id: client.organizationId,
      application_id: client.applicationId,
    });
  });

  it('uses the request id of the client, unless it is not usable', async () => {
    lines.length = 0;
    const idFor = async (given: string) =>
      (await bridge.app.inject({ url: '/healthz', headers: { 'x-request-id': given } })).headers['x-request-id'];
    expect(await idFor('proxy-1:a/b=')).toBe('proxy-1:a/b=');
    expect(lines.at(-1)).toContain('"request_id":"proxy-1:a/b="');
    for (const unusable of ['two words', 'x'.repeat(129), '"', ''])
      expect(await idFor(unusable)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('contains the stack trace of an error that the response omits, under the same request id', async () => {
    lines.length = 0;
    const { storage } = bridge.services;
    await storage.writer.schema.alterTable('tags').renameTo('gone').execute();
    const answer = await client.get('/tags');
    await storage.writer.schema.alterTable('gone').renameTo('tags').execute();
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      type: 'internal',
      message: expect.not.stringContaining('tags'),
      args: { request_id: answer.headers['x-request-id'] },
    });
    const failure = lines
      .map(line => JSON.parse(line) as Record<string, unknown>)
      .find(line => line['level'] === 'error');
    expect(failure).toMatchObject({
      request_id: answer.headers['x-request-id'],
      error: { message: expect.stringContaining('tags') },
    });
  });
});

describe('bridge shutdown', () => {
  it('completes requests in progress, and refuses new connections', async () => {
    let finish = (): void => undefined;
    let began = (): void => undefined;
    const isRunning = new Promise<void>(resolve => {
      began = resolve;
    });
    const bridge = await TestBridge.open();
    bridge.app.get('/slow', async () => {
      began();
      await new Promise<void>(resolve => {
        finish = resolve;
      });
      return {};
    });
    await bridge.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = bridge.app.server.address() as AddressInfo;
    const slow = fetch(`http://127.0.0.1:${port}/slow`);
    await isRunning;
    const closed = bridge.close();
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed');
    finish();
    expect((await slow).status).toBe(200);
    await closed;
  });
});
