import { type IdKind, createId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { applyRetention } from '../../../cloud-bridge/src/retention/apply-retention.ts';
import { createEventPartitions } from '../../../cloud-bridge/src/retention/event-partitions.ts';
import { TaskLease } from '../../../cloud-bridge/src/tasks/task-lease.ts';
import { createEmptyDatabase } from '../../support/bridge/postgres.ts';
import { waitForTask } from '../../support/bridge/task-leases.ts';
import { type TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';

const START = Date.parse('2026-06-01T10:00:00Z');
const MONTH_MS = 31 * 86_400_000;

describe('events in monthly partitions (postgres)', () => {
  let bridge: TestBridge;
  let client: TestOrganizationClient;
  beforeAll(async () => {
    // Migrated at the time of the test clock. Other tests copy a migrated database.
    const database = await createEmptyDatabase(inject('postgresUrl'));
    bridge = await TestBridge.open({ database, retention: { events: 90, deliveries: 30 } });
    client = await bridge.newOrganization();
    await waitForTask(bridge, 'retention');
  });
  afterAll(() => bridge.close());

  const idAt = (kind: IdKind, at: number) => createId(kind, instant(at), randomBytes(10));
  /** Logs an event whose id has the given time. */
  const log = async (at: number, id: string = idAt('event', at)): Promise<string> => {
    await bridge.services.writer.write(client.organizationId, {}, async context =>
      context.log({ id, verb: 'edit', created_at: at, object: { type: 'member', member_id: idAt('member', at) } }),
    );
    return id;
  };
  const partitionOf = async (id: string): Promise<string | undefined> => {
    const { rows } = await sql<{ name: string }>`select tableoid::regclass::text as name from events
      where id = ${id}`.execute(bridge.services.storage.reader);
    return rows[0]?.name;
  };
  const partitions = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'events'::regclass order by 1`.execute(bridge.services.storage.reader);
    return rows.map(({ name }) => name);
  };
  const runRetention = async () => {
    const removed: (readonly [string | null, number])[] = [];
    let inDefault = -1;
    await applyRetention({
      services: bridge.services,
      lease: new TaskLease(bridge.services.storage, 'retention', bridge.services.clock),
      pause: async () => undefined,
      onRemoved: (_, organizationId, rows) => removed.push([organizationId, rows]),
      onDefaultPartition: rows => {
        inDefault = rows;
      },
      stopping: new AbortController().signal,
    });
    return { removed, inDefault };
  };
  const at = async <T>(time: number, work: () => Promise<T>): Promise<T> => {
    bridge.now = instant(time);
    try {
      return await work();
    } finally {
      bridge.now = instant(START);
    }
  };

  it('are created once when two processes create them at the same time', async () => {
    const month = START + 40 * MONTH_MS;
    const before = await partitions();
    const { storage } = bridge.services;
    await Promise.all(Array.from({ length: 4 }, () => createEventPartitions(storage, month, 0)));
    expect(await partitions()).toHaveLength(before.length + 1);
    for (const name of await partitions())
      if (!before.includes(name)) await sql`drop table ${sql.table(name)}`.execute(storage.writer);
  });

  it('are created ahead, and an event is in the month of its id', async () => {
    expect(await partitions()).toEqual([
      'events_2026_07',
      'events_2026_08',
      'events_2026_09',
      'events_default',
      'events_earlier',
    ]);
    expect(await partitionOf(await log(START))).toBe('events_earlier');
    expect(await partitionOf(await log(START + MONTH_MS))).toBe('events_2026_07');
    expect(await partitionOf(await log(Date.parse('2099-01-01T00:00:00Z')))).toBe('events_default');
    expect((await runRetention()).inDefault).toBe(1);
  });

  it('have unique ids over all months, and recorded_at increases over all months', async () => {
    for (const time of [START, START + MONTH_MS, Date.parse('2098-01-01T00:00:00Z')]) {
      const id = await log(time);
      await expect(log(START, id)).rejects.toThrow(/duplicate key/);
    }
    const { data } = await client.callOk('GET', '/events?sort=recorded_at:asc&limit=100');
    const recorded = data.map(event => String(event['recorded_at']));
    expect(new Set(recorded).size).toBe(recorded.length);
    expect(recorded.toSorted()).toEqual(recorded);
  });

  it('are one list in the API, in any order', async () => {
    const { data: all } = await client.callOk('GET', '/events?sort=created_at:desc&limit=100');
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await client.callOk('GET', `/events?sort=created_at:desc&limit=2${cursor}`);
      found.push(...page.data.map(({ id }) => id));
      if (!page.has_next) break;
      cursor = `&cursor=${page.cursor_next}`;
    }
    expect(found).toEqual(all.map(({ id }) => id));
    for (const id of found) expect((await client.get(`/events/${id}`)).status).toBe(200);
  });

  it('move out of the default partition when their month is created', async () => {
    const month = Date.parse('2030-03-01T00:00:00Z');
    const id = await log(month + 1000);
    expect(await partitionOf(id)).toBe('events_default');
    await createEventPartitions(bridge.services.storage, month, 0);
    expect(await partitionOf(id)).toBe('events_2030_03');
    await sql`alter table events detach partition events_2030_03`.execute(bridge.services.storage.writer);
    await sql`drop table events_2030_03`.execute(bridge.services.storage.writer);
  });

  it('gives up creating a partition while another transaction uses the events', async () => {
    const { storage } = bridge.services;
    const month = Date.parse('2031-03-01T00:00:00Z');
    await storage.writer.transaction().execute(async db => {
      await sql`lock table events_default in access exclusive mode`.execute(db);
      await createEventPartitions(storage, month, 0);
    });
    expect(await partitions()).not.toContain('events_2031_03');
  });

  it('are dropped with their month, and late or pending ones stay', async () => {
    const july = Date.parse('2026-07-10T00:00:00Z');
    const waiting = await at(july, () => log(july));
    const expired = await at(july, () => log(july + 1));
    const webhook = bridge.services.newId('webhook');
    const { storage } = bridge.services;
    await sql`insert into webhooks (id, organization_id, is_deleted, created_at, metadata, oauth_application_id, url, filter,
      expand, is_enabled, sealed_secret) values (${webhook}, ${client.organizationId}, 0, 0, '{}', '', '', '[]', '[]', 0, '')`.execute(
      storage.writer,
    );
    await sql`insert into webhook_deliveries (id, organization_id, webhook_id, event_id, created_at, position, status,
      attempts, awaits_receiver) values ('whd_1', ${client.organizationId}, ${webhook}, ${waiting}, 0, 0, 'pending', 0, 0)`.execute(
      storage.writer,
    );
    const late = await at(Date.parse('2026-10-20T00:00:00Z'), () => log(july + 2));
    await at(Date.parse('2026-10-29T00:00:00Z'), runRetention);
    expect(await partitionOf(expired)).toBe('events_2026_07');
    const { removed } = await at(Date.parse('2026-10-31T00:00:00Z'), runRetention);
    expect(removed[0]).toEqual([null, expect.any(Number)]);
    expect(await partitions()).not.toContain('events_2026_07');
    expect(await partitionOf(expired)).toBeUndefined();
    expect(await partitionOf(waiting)).toBe('events_default');
    expect(await partitionOf(late)).toBe('events_default');
    expect((await client.get(`/events/${late}`)).status).toBe(200);
    await sql`update webhook_deliveries set status = 'delivered' where id = 'whd_1'`.execute(storage.writer);
    await at(Date.parse('2027-03-01T00:00:00Z'), runRetention);
    expect(await partitionOf(waiting)).toBeUndefined();
    expect(await partitionOf(late)).toBeUndefined();
  });
});
