import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPresent, requireProgram } from '../support/require-program.ts';
import { BridgeCluster } from '../support/bridge/bridge-cluster.ts';
import { pgbouncer, startPgbouncer } from '../support/bridge/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../support/bridge/postgres.ts';
import { StreamFollower } from '../support/bridge/stream-follower.ts';
import { WebhookTestServer } from '../support/bridge/webhook-test-server.ts';
import { runLintel } from '../support/processes/lintel-command.ts';
import { mosquitto } from '../support/processes/mosquitto.ts';
import { MemberWriters } from './member-writers.ts';

const CONTROLLERS = 300;
const TAP_SECONDS = 120;
const TAPS_PER_HOUR = 120;
const WRITERS = 8;
const PAUSE_MS = 100;
/** Between two faults: load must flow again before the next one. */
const SETTLE_MS = 4000;
const BRIDGES = ['one', 'two', 'three'];

const programs = [mosquitto, pgbouncer];

interface FleetReport {
  readonly connected: number;
  readonly serving: number;
  readonly wrong_digests: number;
  readonly taps: { readonly made: number; readonly committed: number; readonly waiting: number };
}

describe('three bridges under load', () => {
  const cleanUp: Array<() => Promise<unknown>> = [];
  let postgres: PostgresServer;
  let direct: string;
  let cluster: BridgeCluster;
  let receiver: WebhookTestServer;
  let token: string;
  let organizationId: string;
  let fleet: FleetReport;
  let writers: MemberWriters;
  let streams: StreamFollower[];

  beforeAll(async () => {
    if (!programs.every(isPresent)) return;
    const server = await startPostgres(['-c', 'max_connections=200']);
    postgres = server;
    cleanUp.unshift(() => server.stop());
    direct = await server.newDatabase();
    const pooler = await startPgbouncer(direct, 20);
    cleanUp.unshift(pooler.stop);
    const args = ['--database-direct', direct, '--webhook-allow', '127.0.0.0/8', '--rate-limit', '1000000'];
    cluster = await BridgeCluster.open({ database: pooler.url, args });
    cleanUp.unshift(() => cluster.close());
    receiver = await WebhookTestServer.open();
    cleanUp.unshift(() => receiver.close());
    await Promise.all(BRIDGES.map(name => cluster.start(name)));
    organizationId = (await cluster.seed('one', { organization: { key: 'org', name: 'Cluster' } }))['org']!;
    token = await cluster.token('two', organizationId);
    const webhook = { url: `${receiver.url}/members`, filter: [{ object_type: 'member' }] };
    const created = await cluster.call('three', token, 'POST', '/v2/webhooks', webhook);
    if (created.status !== 200) throw new Error(JSON.stringify(created.body));
  });

  afterAll(async () => {
    for (const close of cleanUp) await close();
  });

  const restart = async (name: string, signal: NodeJS.Signals): Promise<void> => {
    await cluster.stop(name, signal);
    await cluster.start(name);
  };

  /** Every fault once: bridges killed, database and broker ended, all bridges restarted one after another. */
  const runFaults = async (): Promise<void> => {
    await delay(SETTLE_MS);
    await restart('one', 'SIGKILL');
    await delay(SETTLE_MS);
    await postgres.halt('SIGQUIT');
    await postgres.resume();
    await delay(SETTLE_MS);
    await cluster.broker.halt('SIGKILL');
    await cluster.broker.resume();
    await delay(SETTLE_MS);
    await Promise.all([restart('two', 'SIGKILL'), restart('three', 'SIGKILL')]);
    await delay(SETTLE_MS);
    for (const name of BRIDGES) await restart(name, 'SIGTERM');
  };

  const runFleet = async (): Promise<FleetReport> => {
    process.env['LINTEL_TOKEN'] = token;
    const address = ['--bridge', cluster.bridges.get('one')!.ready['http']!, '--broker', cluster.broker.url];
    const load = ['--devices', String(CONTROLLERS), '--duration', String(TAP_SECONDS), '--steady'];
    const keys = ['--keys', `${cluster.folder}/fleet.keys`];
    const { stdout, stderr } = await runLintel(
      'simulate',
      'fleet',
      ...address,
      ...load,
      ...keys,
      '--tap-rate',
      String(TAPS_PER_HOUR),
      '--json',
    );
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as FleetReport;
  };

  const query = async <R extends object>(text: string, ...values: readonly unknown[]): Promise<R[]> => {
    const client = new Client(direct);
    await client.connect();
    try {
      return (await client.query<R>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };

  const areServing = async (): Promise<boolean> => {
    const [row] = await query<{ count: string }>('select count(*) from device_sync');
    return Number(row!.count) >= CONTROLLERS;
  };

  it('stays available while its parts fail', async context => {
    for (const program of programs) requireProgram(context, program);
    const running = runFleet();
    await expect.poll(areServing, { timeout: 200_000, interval: 1000 }).toBe(true);
    const urls = (): string[] => [...cluster.bridges.values()].map(({ ready }) => ready['http']!);
    streams = [0, 1, 2].map(() => new StreamFollower(urls, token, 'object.type=member'));
    await expect.poll(() => streams.every(({ connections }) => connections > 0)).toBe(true);
    writers = new MemberWriters(cluster, token, WRITERS, PAUSE_MS);
    await runFaults();
    await writers.stop();
    fleet = await running;
    expect(writers.acknowledged.size).toBeGreaterThan(100);
    expect(writers.retries).toBeGreaterThan(0);
  });

  it('keeps every acknowledged write, once', async context => {
    for (const program of programs) requireProgram(context, program);
    const members = await query<{ id: string; name: string }>(
      'select id, name from members where organization_id = $1 and name = any($2)',
      organizationId,
      [...writers.acknowledged.keys()],
    );
    expect(new Map(members.map(({ id, name }) => [name, id]))).toEqual(writers.acknowledged);
    expect(members).toHaveLength(writers.acknowledged.size);
  });

  it('keeps every tap of every controller, once', async context => {
    for (const program of programs) requireProgram(context, program);
    expect(fleet).toMatchObject({ connected: CONTROLLERS, serving: CONTROLLERS, wrong_digests: 0 });
    expect(fleet.taps).toMatchObject({ waiting: 0, committed: fleet.taps.made });
    const [row] = await query<{ count: string }>(
      `select count(*) from events where organization_id = $1 and verb in ('use', 'deny') and object_gadget_id is not null`,
      organizationId,
    );
    expect(Number(row!.count)).toBe(fleet.taps.made);
  });

  it('streams every event once and in order, across interruptions', async context => {
    for (const program of programs) requireProgram(context, program);
    const recorded = (
      await query<{ id: string }>(
        `select id from events where organization_id = $1 and object_type = 'member' order by recorded_at`,
        organizationId,
      )
    ).map(({ id }) => id);
    for (const stream of streams) {
      await expect.poll(() => stream.eventIds.at(-1)).toBe(recorded.at(-1));
      expect(stream.eventIds).toEqual(recorded.slice(recorded.indexOf(stream.eventIds[0]!)));
      expect(stream.eventIds.length).toBeGreaterThanOrEqual(writers.acknowledged.size);
    }
    expect(Math.max(...streams.map(({ connections }) => connections))).toBeGreaterThan(1);
    await Promise.all(streams.map(stream => stream.stop()));
  });

  it('delivers every event to the webhook, and repeats only with the same id', async context => {
    for (const program of programs) requireProgram(context, program);
    const recorded = await query<{ id: string }>(
      `select id from events where organization_id = $1 and object_type = 'member'`,
      organizationId,
    );
    const delivered = () => new Set(receiver.at('/members').map(({ event }) => event.id));
    await expect.poll(() => delivered().size).toBe(recorded.length);
    const deliveries = receiver.at('/members');
    const webhookIds = new Set(deliveries.map(({ event, headers }) => `${event.id} ${String(headers['webhook-id'])}`));
    expect(webhookIds.size).toBe(recorded.length);
    // Delivered, but not recorded when a bridge or the database ended.
    expect(deliveries.length - recorded.length).toBeLessThan(recorded.length / 10);
  });
});
