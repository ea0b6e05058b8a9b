import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createEventPartitions } from '@lintel/cloud-bridge/testing';
import { PartitionedEvents } from '../../support/bridge/partitioned-events.ts';
import { createEmptyDatabase } from '../../support/bridge/postgres.ts';
import { waitForTask } from '../../support/bridge/wait-for-startup-task.ts';
import { type TestOrganizationClient, TestBridge } from '../../support/bridge/test-bridge.ts';

const START = Date.parse('2026-06-01T10:00:00Z');
const MONTH_MS = 31 * 86_400_000;

describe('events in monthly partitions (postgres)', () => {
  let bridge: TestBridge;
  let client: TestOrganizationClient;
  let events: PartitionedEvents;
  const statements: string[] = [];
  beforeAll(async () => {
    // Migrated at the time of the test clock. Other tests copy a migrated database.
    const database = await createEmptyDatabase(inject('postgresUrl'));
    bridge = await TestBridge.open({
      database,
      retention: { events: 90, deliveries: 30 },
      onQuery: statement => statements.push(statement),
    });
    client = await bridge.newOrganization();
    events = new PartitionedEvents(bridge, client.organizationId);
    await waitForTask(bridge, 'retention');
  });
  afterAll(() => bridge.close());

  it('are created once when two processes create them at the same time', async () => {
    const month = START + 40 * MONTH_MS;
    const before = await events.listPartitions();
    const { storage } = bridge.services;
    await Promise.all(Array.from({ length: 4 }, () => createEventPartitions(storage, month, 0)));
    expect(await events.listPartitions()).toHaveLength(before.length + 1);
    for (const name of await events.listPartitions())
      if (!before.includes(name)) await sql`drop table ${sql.table(name)}`.execute(storage.writer);
  });

  it('are created ahead, and an event is in the month of its id', async () => {
    expect(await events.listPartitions()).toEqual([
      'events_2026_07',
      'events_2026_08',
      'events_2026_09',
      'events_default',
      'events_earlier',
    ]);
    expect(await events.partitionOf(await events.log(START))).toBe('events_earlier');
    expect(await events.partitionOf(await events.log(START + MONTH_MS))).toBe('events_2026_07');
    expect(await events.partitionOf(await events.log(Date.parse('2099-01-01T00:00:00Z')))).toBe('events_default');
    expect((await events.runRetention()).inDefaultPartition).toBe(1);
  });

  it('have unique ids over all months, and recorded_at increases over all months', async () => {
    for (const time of [START, START + MONTH_MS, Date.parse('2098-01-01T00:00:00Z')]) {
      const id = await events.log(time);
      await expect(events.log(START, id)).rejects.toThrow(/duplicate key/);
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

  it.each(['created_at:desc', 'created_at:asc', 'recorded_at:desc', 'recorded_at:asc'])(
    'are read in the order of an index on every page, sorted by %s',
    async sort => {
      const { cursor_next } = await client.callOk('GET', `/events?sort=${sort}&limit=1`);
      for (const cursor of ['', `&cursor=${cursor_next}`]) {
        statements.length = 0;
        await client.callOk('GET', `/events?sort=${sort}${cursor}`);
        const [statement] = statements.filter(text => text.includes('from events as t'));
        const plan = await bridge.services.storage.writer.transaction().execute(async db => {
          // There are too few events here for an index to be worth it.
          for (const step of ['seqscan', 'bitmapscan', 'sort'])
            await sql.raw(`set local enable_${step} = off`).execute(db);
          const { rows } = await sql.raw<Record<string, string>>(`explain (generic_plan) ${statement}`).execute(db);
          return rows.map(row => row['QUERY PLAN']).join('\n');
        });
        expect(plan).toContain('Index Scan');
        expect(plan).not.toMatch(/-> {2}Sort\b|Seq Scan/);
      }
    },
  );

  it('move out of the default partition when their month is created', async () => {
    const month = Date.parse('2030-03-01T00:00:00Z');
    const id = await events.log(month + 1000);
    expect(await events.partitionOf(id)).toBe('events_default');
    await createEventPartitions(bridge.services.storage, month, 0);
    expect(await events.partitionOf(id)).toBe('events_2030_03');
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
    expect(await events.listPartitions()).not.toContain('events_2031_03');
  });

  it('are dropped with their month, and late or pending ones stay', async () => {
    const july = Date.parse('2026-07-10T00:00:00Z');
    const waiting = await events.at(july, () => events.log(july));
    const expired = await events.at(july, () => events.log(july + 1));
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
    const late = await events.at(Date.parse('2026-10-20T00:00:00Z'), () => events.log(july + 2));
    await events.at(Date.parse('2026-10-29T00:00:00Z'), () => events.runRetention());
    expect(await events.partitionOf(expired)).toBeUndefined();
    expect(await events.partitionOf(waiting)).toBe('events_2026_07');
    expect(await events.partitionOf(late)).toBe('events_2026_07');
    await events.at(Date.parse('2026-10-31T00:00:00Z'), () => events.runRetention());
    expect(await events.listPartitions()).not.toContain('events_2026_07');
    expect(await events.partitionOf(waiting)).toBe('events_default');
    expect(await events.partitionOf(late)).toBe('events_default');
    expect((await client.get(`/events/${late}`)).status).toBe(200);
    await sql`update webhook_deliveries set status = 'delivered' where id = 'whd_1'`.execute(storage.writer);
    await events.at(Date.parse('2027-03-01T00:00:00Z'), () => events.runRetention());
    expect(await events.partitionOf(waiting)).toBeUndefined();
    expect(await events.partitionOf(late)).toBeUndefined();
  });

  it('are counted when they are dropped with their month', async () => {
    const may = Date.parse('2027-05-10T00:00:00Z');
    const ids = [await events.at(may, () => events.log(may)), await events.at(may, () => events.log(may + 1))];
    for (const id of ids) expect(await events.partitionOf(id)).toBe('events_2027_05');
    const { removed } = await events.at(Date.parse('2027-10-01T00:00:00Z'), () => events.runRetention());
    expect(removed[0]).toEqual({ table: 'events', organizationId: null, rows: ids.length });
    expect(await events.listPartitions()).not.toContain('events_2027_05');
  });
});
