import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { EventStreamClient } from '../support/bridge/event-stream-client.ts';
import { type PostgresServer, startPostgres, newTestDatabase } from '../support/bridge/postgres.ts';
import { type TestOrganizationClient, TestBridge } from '../support/bridge/test-bridge.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { startBridge } from '../support/processes/bridge-process.ts';
import type { StartedProgram } from '../support/processes/start-program.ts';
import { ControllerSite } from '../support/devices/controller-site.ts';
import { RecordingLogger } from '../support/processes/recording-logger.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { programFile } from '../support/processes/bundled-programs.ts';
import type { StartDuringOutage } from '../support/faults/start-bridge-during-outages-process.ts';
import { iterations } from '../support/test-iterations-and-seed.ts';

let server: PostgresServer & { url: string };
beforeAll(async () => {
  // The server crashes, the machine does not: a flush would only make the test depend on the speed of the disk.
  server = await startPostgres(['-c', 'fsync=off']);
});
afterAll(() => server.stop());

/** Ends every other connection to the database, as a restart of a connection pooler does. */
const terminateConnections = async (database: string): Promise<void> => {
  const admin = new Client(database);
  admin.on('error', () => undefined);
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await admin.end();
};

describe('a bridge whose PostgreSQL is away', () => {
  const log = new RecordingLogger();
  let bridge: TestBridge;
  let client: TestOrganizationClient;
  let database: string;
  beforeAll(async () => {
    database = await server.newDatabase();
    bridge = await TestBridge.open({ database, logger: log, streamCheckMs: 50, isTicking: true });
    client = await bridge.newOrganization();
    await bridge.listen('127.0.0.1', 0);
  });
  afterAll(() => bridge.close());

  const isServing = async () => (await client.get('/members?limit=1')).status;
  const isReady = async () => (await bridge.app.inject({ url: '/readyz' })).statusCode;
  const messages = () => log.lines.map(line => line['message']);

  it('answers 503, keeps event streams open and recovers by itself', async () => {
    const stream = await EventStreamClient.open(bridge, '', client.token);
    await stream.waitUntil(() => stream.messages.length > 0);
    const acknowledged = await client.callOk('POST', '/members', { name: 'before' });
    await server.halt('SIGQUIT');
    await expect.poll(isServing).toBe(503);
    for (const response of [await client.get('/members'), await client.call('POST', '/members', { name: 'lost' })]) {
      expect(response.status).toBe(503);
      expect(response.headers['retry-after']).toMatch(/^\d+$/);
      expect(response.body).toMatchObject({ type: 'unavailable', args: {} });
    }
    const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'x', client_secret: 'x' };
    const exchange = await bridge.app.inject({
      method: 'POST',
      url: '/oauth2/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    });
    expect([exchange.statusCode, exchange.json<{ error: string }>().error]).toEqual([503, 'temporarily_unavailable']);
    expect(await isReady()).toBe(503);
    const checked = stream.messages.length;
    await stream.waitUntil(() => stream.messages.length > checked + 2);
    expect(await Promise.race([stream.closed, Promise.resolve('open')])).toBe('open');
    await server.resume();
    await expect.poll(isServing).toBe(200);
    expect(await isReady()).toBe(200);
    expect((await client.get(`/members/${acknowledged.id}`)).status).toBe(200);
    const { id } = await client.callOk('POST', '/members', { name: 'after' });
    await stream.waitUntil(() => JSON.stringify(stream.events).includes(id));
    await stream.close();
    await expect.poll(messages).toContain('Database available again');
    expect(messages().filter(message => message === 'Database not available')).toHaveLength(1);
    expect(messages().filter(message => message === 'Database available again')).toHaveLength(1);
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it('processes the messages of controllers that arrive in the meantime', async () => {
    const site = await ControllerSite.openConnected(bridge);
    const { controller } = site;
    await server.halt('SIGQUIT');
    await controller.hello();
    await server.resume();
    await controller.next('time');
    const id = await site.createMember();
    await site.waitUntilMemberCached(id);
    expect(controller.rejections).toEqual([]);
    await controller.stop();
  });

  it('survives the loss of all its connections at any time', async () => {
    for (let round = 0; round < 5; round++) {
      const writes = Array.from({ length: 20 }, () => client.call('POST', '/members', { name: 'Ann' }));
      await terminateConnections(database);
      const responses = await Promise.all(writes);
      expect(responses.map(({ status }) => status).filter(status => status !== 200 && status !== 503)).toEqual([]);
      await expect.poll(isServing).toBe(200);
      for (const { status, body } of responses)
        if (status === 200) expect((await client.get(`/members/${body.id}`)).status).toBe(200);
    }
  });
});

describe('a bridge process whose PostgreSQL fails 30 times under load', { tags: ['slow'] }, () => {
  const home = mkdtempSync(join(tmpdir(), 'lintel-outage-'));
  let bridge: StartedProgram;
  let database: string;
  let token: string;
  beforeAll(async () => {
    database = await server.newDatabase();
    const file = join(home, 'seed.json');
    writeFileSync(file, JSON.stringify({ organization: { key: 'org', name: 'Hotel' } }));
    const seed = await runLintel('seed', file, '--data', home, '--database', database, '--json');
    const { ids } = JSON.parse(seed.stdout) as { ids: Record<string, string> };
    const args = ['--data', home, '--database', database, '--organization', ids['org']!];
    token = (await runLintel('token', ...args, '--scope', 'full_read_write')).stdout.trim();
    bridge = await startBridge(home, '--database', database);
  });
  afterAll(async () => {
    await bridge.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${bridge.ready['http']}/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { id: string; type: string } };
  };

  it('stays, answers 503 in the meantime and keeps every acknowledged write', async () => {
    const acknowledged: string[] = [];
    const unexpected: string[] = [];
    const statuses = new Map<number, number>();
    const stopped = new AbortController();
    const load = async (): Promise<void> => {
      while (!stopped.signal.aborted) {
        const { status, body } = await call('POST', '/members', { name: 'Ann' });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 200) acknowledged.push(body.id);
        else if (status !== 503 && status !== 429) unexpected.push(`${status} ${body.type}`);
      }
    };
    const workers = Promise.allSettled(Array.from({ length: 8 }, load));
    try {
      for (let round = 0; round < 30; round++) {
        const before = acknowledged.length;
        statuses.clear();
        if (round % 3 === 0) {
          await server.halt(round % 2 === 0 ? 'SIGQUIT' : 'SIGINT');
          await server.resume();
        } else await terminateConnections(database);
        await expect.poll(() => acknowledged.length).toBeGreaterThan(before);
      }
    } catch (error) {
      console.error('Responses since the last failure:', statuses, bridge.log().slice(-5000));
      throw error;
    } finally {
      stopped.abort();
    }
    expect((await workers).filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(bridge.process.exitCode).toBeNull();
    expect(unexpected).toEqual([]);
    const client = new Client(database);
    await client.connect();
    const { rows } = await client.query<{ id: string }>('select id from members');
    await client.end();
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter(id => !stored.has(id))).toEqual([]);
    expect(bridge.log()).not.toContain('Request failed');
  });
});

const outagesProcess = programFile('start-bridge-during-outages');

describe('A bridge whose database fails while it starts', () => {
  it('closes everything, so that the process ends and is restarted', { tags: ['slow'] }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'lintel-start-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const step = iterations({ sample: 6, all: 1 });
    const args = [outagesProcess, dataDir, await newTestDatabase(), String(step)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 150_000 });
    const starts = JSON.parse(stdout) as readonly StartDuringOutage[];
    expect(starts.length * step).toBeGreaterThan(20);
    expect(starts.filter(({ left }) => left.length > 0)).toEqual([]);
  });
});
