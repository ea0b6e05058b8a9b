import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bridge, createBridge } from '@lintel/cloud-bridge/main';
import { sql } from 'kysely';
import { computeStartOfUtcMonth, dropExpiredEventPartitions } from '@lintel/cloud-bridge/testing';
import { startPostgres } from '../support/bridge/postgres.ts';
import { measureEventPages, pageReader } from './api-fixture/measure-event-pages.ts';
import { seedDatabase } from './api-fixture/seed-database.ts';
import { type Benchmark, scaled } from './harness/benchmark-types-and-statistics.ts';

/* Events in monthly partitions of PostgreSQL: the last page, the size on disk, and the retention of a month. */

const EVENTS = scaled(5_000_000, 3000);

const timed = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
  const started = performance.now();
  const result = await work;
  return [result, performance.now() - started];
};

const readSize = async ({ services }: Bridge): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`select sum(pg_total_relation_size(inhrelid))::float8 as bytes
    from pg_inherits where inhparent = 'events'::regclass`.execute(services.storage.reader);
  return rows[0]!.bytes;
};

/** Drops the oldest month, and deletes as many rows of the next one, as a retention without partitions has to. */
const compareRetention = async ({ services }: Bridge, organizationId: string) => {
  const { storage, clock } = services;
  const second = computeStartOfUtcMonth(clock(), 2);
  const [dropped, dropMs] = await timed(dropExpiredEventPartitions(storage, new Map([[organizationId, second]])));
  const [, deleteMs] = await timed(
    sql`delete from events where id in (select id from events where organization_id = ${organizationId}
      order by recorded_at limit ${dropped})`.execute(storage.writer),
  );
  return { dropped, dropMs, deleteMs };
};

const run: Benchmark['run'] = async () => {
  const server = await startPostgres(['-c', 'max_wal_size=8GB']);
  const dataDir = mkdtempSync(join(tmpdir(), 'lintel-bench-'));
  const rateLimit = { perSecond: 1e9, burst: 1e9 };
  const bridge = await createBridge({ dataDir, database: await server.newDatabase(), logger: false, rateLimit });
  try {
    const [seeded, seedMs] = await timed(seedDatabase(bridge.services, EVENTS));
    const bytes = await readSize(bridge);
    const { firstMs, lastMs } = await measureEventPages(bridge, pageReader(bridge, seeded));
    const { dropped, dropMs, deleteMs } = await compareRetention(bridge, seeded.organizationId);
    return {
      ratios: { last_page: lastMs / firstMs, drop_time: dropMs / deleteMs },
      figures: {
        events: EVENTS,
        bytes_per_event: bytes / EVENTS,
        seed_s: seedMs / 1000,
        first_page_ms: firstMs,
        last_page_ms: lastMs,
        dropped_events: dropped,
        drop_ms: dropMs,
        delete_ms: deleteMs,
      },
    };
  } finally {
    await bridge.close();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

export default { name: 'events', smallerIsBetter: ['last_page'], goals: { last_page: 2 }, run } satisfies Benchmark;
