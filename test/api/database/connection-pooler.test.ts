import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isPresent, requireProgram } from '../../support/require-program.ts';
import { EventStreamClient } from '../../support/bridge/event-stream-client.ts';
import { pgbouncer, startPgbouncer } from '../../support/bridge/pgbouncer.ts';
import { newTestDatabase } from '../../support/bridge/postgres.ts';
import { TestBridge } from '../../support/bridge/test-bridge.ts';

const POOL_SIZE = 3;
const MEMBERS = 30;

describe('bridges behind PgBouncer in transaction mode', () => {
  const cleanUp: Array<() => Promise<unknown>> = [];
  let bridges: TestBridge[] = [];

  beforeAll(async () => {
    if (!isPresent(pgbouncer)) return;
    const database = await newTestDatabase();
    const pooler = await startPgbouncer(database, POOL_SIZE);
    cleanUp.push(pooler.stop);
    const first = await TestBridge.open({ database: pooler.url, directDatabase: database });
    const second = await TestBridge.open({ database: pooler.url, directDatabase: database, dataDir: first.dataDir });
    bridges = [first, second];
    for (const bridge of bridges) cleanUp.unshift(() => bridge.close());
  });

  afterAll(async () => {
    for (const close of cleanUp) await close();
  });

  it('serve concurrent reads and writes of both', async context => {
    requireProgram(context, pgbouncer);
    const [first, second] = bridges as [TestBridge, TestBridge];
    const client = await first.newOrganization();
    const other = await second.client(client.organizationId, client.applicationId, 'full_read_write');
    const created = await Promise.all(
      Array.from({ length: MEMBERS }, (_, n) =>
        [client, other][n % 2]!.callOk('POST', '/members', { name: `Guest ${n}` }),
      ),
    );
    const read = await Promise.all(
      created.flatMap(({ id }) => [client.get(`/members/${id}?expand=pins`), other.get(`/members?limit=5`)]),
    );
    expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await other.callOk('GET', '/members?limit=100')).data).toHaveLength(MEMBERS);
  });

  it('forward events to the streams of each other over the direct address', async context => {
    requireProgram(context, pgbouncer);
    const [first, second] = bridges as [TestBridge, TestBridge];
    await second.listen('127.0.0.1', 0);
    const client = await first.newOrganization();
    const stream = await EventStreamClient.open(second.bridge, '', client.token);
    const { id } = await client.callOk('POST', '/members', { name: 'Ann' });
    expect(await stream.members(1)).toEqual([id]);
  });
});
