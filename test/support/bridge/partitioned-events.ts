import { randomBytes } from 'node:crypto';
import { createId, type IdKind } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import { sql } from 'kysely';
import { logEvents, type RetentionRun, runRetention } from '@lintel/cloud-bridge/testing';
import type { TestBridge } from './test-bridge.ts';

const idAt = (kind: IdKind, at: number) => createId(kind, instant(at), randomBytes(10));

/** The events of an organization on PostgreSQL, and the monthly partitions that they are in. */
export class PartitionedEvents {
  readonly #bridge: TestBridge;
  readonly #organizationId: string;

  constructor(bridge: TestBridge, organizationId: string) {
    this.#bridge = bridge;
    this.#organizationId = organizationId;
  }

  /** Performs the work at another time, and returns to the present. */
  async at<T>(time: number, work: () => Promise<T>): Promise<T> {
    const { now } = this.#bridge;
    this.#bridge.now = instant(time);
    try {
      return await work();
    } finally {
      this.#bridge.now = now;
    }
  }

  /** Logs an event whose id has the given time. */
  async log(at: number, id: string = idAt('event', at)): Promise<string> {
    await logEvents(this.#bridge.services, this.#organizationId, [
      { id, verb: 'edit', created_at: at, object: { type: 'member', member_id: idAt('member', at) } },
    ]);
    return id;
  }

  async partitionOf(id: string): Promise<string | undefined> {
    const { rows } = await sql<{ name: string }>`select tableoid::regclass::text as name from events
      where id = ${id}`.execute(this.#bridge.services.storage.reader);
    return rows[0]?.name;
  }

  async listPartitions(): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'events'::regclass order by 1`.execute(this.#bridge.services.storage.reader);
    return rows.map(({ name }) => name);
  }

  runRetention(): Promise<RetentionRun> {
    return runRetention(this.#bridge.services);
  }
}
