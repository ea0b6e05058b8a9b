import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPresent, requireProgram } from '../support/require-program.ts';
import { BridgeCluster } from '../support/bridge/bridge-cluster.ts';
import { startPostgres } from '../support/bridge/postgres.ts';
import { WebhookTestServer } from '../support/bridge/webhook-test-server.ts';
import { mosquitto } from '../support/processes/mosquitto.ts';
import { MemberWriters } from './member-writers.ts';

const WRITERS = 4;
const PAUSE_MS = 50;
/** Requests in each phase of the upgrade. */
const REQUESTS = 40;
const nextVersion = pathToFileURL(join(import.meta.dirname, 'simulate-next-bridge-version.ts')).href;

const seed = {
  organization: { key: 'org', name: 'Upgrade' },
  sites: [{ key: 'site', name: 'Main', timezone: 'Europe/Madrid' }],
  devices: [{ key: 'device', site: 'site', name: 'Lobby', product_id: 'virtual' }],
  gadgets: [{ key: 'door', device: 'device', name: 'Door', actions: [{ id: 'open', name: 'Open' }] }],
  member_groups: [{ key: 'guests', name: 'Guests', permissions: [{ gadget: 'door' }] }],
  members: [{ key: 'ann', name: 'Ann', groups: ['guests'] }],
};

describe('bridges of two versions with one database', () => {
  const cleanUp: Array<() => Promise<unknown>> = [];
  let cluster: BridgeCluster;
  let database: string;
  let receiver: WebhookTestServer;
  let token: string;
  let ids: Readonly<Record<string, string>>;

  beforeAll(async () => {
    if (!isPresent(mosquitto)) return;
    const postgres = await startPostgres();
    cleanUp.unshift(() => postgres.stop());
    database = await postgres.newDatabase();
    const args = ['--webhook-allow', '127.0.0.0/8', '--rate-limit', '1000000'];
    cluster = await BridgeCluster.open({ database, args });
    cleanUp.unshift(() => cluster.close());
    receiver = await WebhookTestServer.open();
    cleanUp.unshift(() => receiver.close());
    for (const name of ['one', 'two']) await cluster.start(name);
    ids = await cluster.seed('one', seed);
    token = await cluster.token('one', ids['org']!);
    const webhook = {
      url: `${receiver.url}/all`,
      filter: [{ object_type: 'member' }, { object_type: 'gadget_action', verb: 'use' }],
    };
    const created = await cluster.call('two', token, 'POST', '/v2/webhooks', webhook);
    if (created.status !== 200) throw new Error(JSON.stringify(created.body));
  });

  afterAll(async () => {
    for (const close of cleanUp) await close();
  });

  const query = async <R extends object>(text: string): Promise<R[]> => {
    const client = new Client(database);
    await client.connect();
    try {
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end();
    }
  };

  const upgrade = async (name: string): Promise<void> => {
    await cluster.stop(name);
    process.env['NODE_OPTIONS'] = `--import=${nextVersion}`;
    try {
      await cluster.start(name);
    } finally {
      delete process.env['NODE_OPTIONS'];
    }
  };

  /** Uses the door and reads the lists at one bridge. Returns the responses that are not successful. */
  const useBridge = async (name: string): Promise<unknown[]> => {
    const failed: unknown[] = [];
    const call = async (method: string, path: string, body?: object): Promise<void> => {
      const response = await cluster.call(name, token, method, path, body);
      if (response.status !== 200) failed.push(response);
    };
    for (let n = 0; n < REQUESTS; n++) {
      await call('POST', `/v2/gadgets/${ids['door']}/actions/open/execute_as_member`, { member_id: ids['ann'] });
      await call('GET', '/v2/members?limit=5&expand=group_associations');
      await call('GET', '/v2/events?limit=5&expand=object_member');
      await call('PATCH', `/v2/members/${ids['ann']}`, { metadata: { turn: String(n) } });
    }
    return failed;
  };

  it('lose nothing while one after the other is upgraded under load', async context => {
    requireProgram(context, mosquitto);
    const writers = new MemberWriters(cluster, token, WRITERS, PAUSE_MS);
    const failed: unknown[] = [];
    failed.push(...(await useBridge('one')), ...(await useBridge('two')));
    // The old bridge serves requests while the other one stops, migrates the database and starts.
    const [, duringMigration] = await Promise.all([upgrade('one'), useBridge('two')]);
    failed.push(...duringMigration);
    const mixed = await Promise.all([useBridge('one'), useBridge('two')]);
    failed.push(...mixed.flat());
    const [, duringRestart] = await Promise.all([upgrade('two'), useBridge('one')]);
    failed.push(...duringRestart, ...(await useBridge('two')));
    await delay(PAUSE_MS);
    await writers.stop();
    expect(failed).toEqual([]);

    expect(await query(`select name from schema_migrations where name = '9999-next-version'`)).toHaveLength(1);
    const members = await query<{ id: string; name: string }>(`select id, name from members where name <> 'Ann'`);
    expect(new Map(members.map(({ id, name }) => [name, id]))).toEqual(writers.acknowledged);
    expect(members).toHaveLength(writers.acknowledged.size);
    expect(writers.acknowledged.size).toBeGreaterThan(50);

    const events = await query<{ id: string; verb: string }>(
      `select id, verb from events where (object_type = 'member' or verb = 'use')
         and recorded_at > (select min(recorded_at) from events where object_type = 'webhook')`,
    );
    expect(events.filter(({ verb }) => verb === 'use')).toHaveLength(7 * REQUESTS);
    await expect
      .poll(() => {
        const delivered = new Set(receiver.at('/all').map(({ event }) => event.id));
        return events.filter(({ id }) => !delivered.has(id));
      })
      .toEqual([]);
  });
});
