import { Writable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BridgeWorld, type OrganizationClient } from '../../support/bridge/bridge-world.ts';
import { onBothEngines } from '../../support/bridge/on-both-engines.ts';

onBothEngines('health', world => {
  it('is told to those who ask: the process lives and the database answers', async () => {
    for (const url of ['/healthz', '/readyz']) {
      const answer = await world().bridge.app.inject({ url });
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
    }
  });

  it('shows figures without an id in them', async () => {
    const client = await world().newOrganization();
    const { id } = await client.done('POST', '/members', {});
    await client.get(`/members/${id}`);
    await client.get(`/nothing/${id}`);
    const { payload, headers } = await world().bridge.app.inject({ url: '/metrics' });
    expect(headers['content-type']).toContain('text/plain');
    expect(payload).toMatch(
      /lintel_http_request_duration_seconds_count\{method="GET",route="\/v2\/members\/:member_id",status="200"\} [1-9]/,
    );
    expect(payload).toMatch(/lintel_http_request_duration_seconds_count\{method="GET",route="none",status="404"\} 1/);
    expect(payload).toMatch(/lintel_commit_group_size_count [1-9]/);
    expect(payload).toMatch(/lintel_database_connections\{engine="\w+",state="open"\} [1-9]/);
    expect(payload).toMatch(/lintel_event_loop_lag_seconds\{quantile="0.99"\} /);
    for (const secret of [id, client.organizationId, client.applicationId]) expect(payload).not.toContain(secret);
  });
});

describe('figures', () => {
  it('are hidden from other machines, also behind a proxy on this one, unless they are public', async () => {
    const world = await BridgeWorld.open();
    const ask = async (options: object) => (await world.bridge.app.inject({ url: '/metrics', ...options })).statusCode;
    expect(await ask({})).toBe(200);
    expect(await ask({ remoteAddress: '192.0.2.7' })).toBe(404);
    expect(await ask({ headers: { 'x-forwarded-for': '192.0.2.7' } })).toBe(404);
    await world.close();
    const open = await BridgeWorld.open({ publicMetrics: true });
    expect((await open.bridge.app.inject({ url: '/metrics', remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
    await open.close();
  });
});

describe('a request in the log', () => {
  const lines: string[] = [];
  let world: BridgeWorld;
  let client: OrganizationClient;
  beforeAll(async () => {
    const destination = new Writable({
      write: (chunk, _, done) => {
        lines.push(String(chunk));
        done();
      },
    });
    world = await BridgeWorld.open({ logger: pino({ level: 'debug' }, destination) });
    client = await world.newOrganization();
  });
  afterAll(() => world.close());

  it('is one line with its pattern and who asked, and nothing that was asked', async () => {
    lines.length = 0;
    const { headers } = await client.get('/members/mem_secret?expand=pins');
    expect(lines).toHaveLength(1);
    const { time: _, pid: __, hostname: ___, ms, ...line } = JSON.parse(lines[0] ?? '') as Record<string, unknown>;
    expect(ms).toBeTypeOf('number');
    expect(line).toEqual({
      level: 30,
      msg: 'request',
      method: 'GET',
      route: '/v2/members/:member_id',
      status: 404,
      request_id: headers['x-request-id'],
      organization_id: client.organizationId,
      application_id: client.applicationId,
    });
  });

  it('never carries a stack to the caller, but does to the log, under the same id', async () => {
    lines.length = 0;
    const { storage } = world.bridge.services;
    await storage.writer.schema.alterTable('tags').renameTo('gone').execute();
    const answer = await client.get('/tags');
    await storage.writer.schema.alterTable('gone').renameTo('tags').execute();
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      type: 'internal',
      message: expect.not.stringContaining('tags'),
      args: { request_id: answer.headers['x-request-id'] },
    });
    const failure = lines.map(line => JSON.parse(line) as Record<string, unknown>).find(line => line['level'] === 50);
    expect(failure).toMatchObject({
      request_id: answer.headers['x-request-id'],
      error: { message: expect.stringContaining('tags') },
    });
  });
});

describe('stopping', () => {
  it('lets a request finish that is under way, and refuses new connections', async () => {
    let finish = (): void => undefined;
    let began = (): void => undefined;
    const isRunning = new Promise<void>(resolve => {
      began = resolve;
    });
    const world = await BridgeWorld.open({
      actions: {
        perform: async () => {
          began();
          await new Promise<void>(resolve => {
            finish = resolve;
          });
          return 'done';
        },
      },
    });
    world.bridge.app.get('/slow', async () => world.bridge.services.actions.perform({} as never));
    await world.bridge.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = world.bridge.app.server.address() as AddressInfo;
    const slow = fetch(`http://127.0.0.1:${port}/slow`);
    await isRunning;
    const closed = world.close();
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed');
    finish();
    expect((await slow).status).toBe(200);
    await closed;
  });
});
