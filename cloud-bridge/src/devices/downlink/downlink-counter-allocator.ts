import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { createJsonRowsParameter } from '../../storage/rows-as-json-parameter.ts';
import type { DeviceCertificateRow } from '../../storage/device-schema.ts';
import type { Storage } from '../../storage/open-storage.ts';
import type { Database } from '../../storage/schema.ts';

/**
 * Numbers that a bridge with SQLite reserves at once, so that not every message waits for the disk. A restart skips
 * unused numbers: a controller reacts to a gap with a sync request, not with a fault.
 */
const BLOCK_SIZE = 256;
/**
 * Time to collect reservations with SQLite, which commits each statement to the disk. Many are needed at once if controllers
 * reconnect after a restart and send the events of an outage.
 */
const COLLECT_MS = 20;
/** A controller that reports a higher counter is not believed. */
const MAX_PLAUSIBLE_COUNTER = 2 ** 48;

/** The highest counter that a controller has accepted. */
interface SeenCounter {
  readonly serial: string;
  readonly seen: number;
}

interface Block {
  next: number;
  readonly end: number;
}

/** Allocates the counters of signed downlink messages. Each is used once per certificate, also after a restart. */
export class DownlinkCounterAllocator {
  readonly #storage: Storage;
  readonly #blocks = new Map<string, Block>();
  readonly #reservations = new Map<string, Promise<unknown>>();
  /** Numbers to reserve, by serial. */
  #requested = new Map<string, number>();
  #nextReservation: Promise<ReadonlyMap<string, number>> | null = null;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Returns the first of `count` consecutive numbers. */
  async allocate(serial: string, count: number): Promise<number> {
    const allocated = this.#allocateFromBlock(serial, count);
    if (allocated !== null) return allocated;
    return this.#serialize(serial, async () => this.#allocateFromBlock(serial, count) ?? this.#reserve(serial, count));
  }

  #allocateFromBlock(serial: string, count: number): number | null {
    const block = this.#blocks.get(serial);
    if (block === undefined || block.next + count > block.end) return null;
    block.next += count;
    return block.next - count;
  }

  /** With PostgreSQL several bridges share the counter: each reserves only what it needs, to avoid large gaps. */
  async #reserve(serial: string, count: number): Promise<number> {
    const isSqlite = this.#storage.engine === 'sqlite';
    const size = isSqlite ? Math.max(BLOCK_SIZE, count) : count;
    if (isSqlite) this.#requested.set(serial, size);
    const reserved = await (isSqlite
      ? (this.#nextReservation ??= this.#reserveRequested())
      : this.#raiseCounters([{ id: serial, size }]));
    const last = reserved.get(serial);
    if (last === undefined) throw new Error(`Unknown certificate ${serial}`);
    const end = last + 1;
    const block: Block = { next: end - size, end };
    this.#blocks.set(serial, block);
    block.next += count;
    return block.next - count;
  }

  async #reserveRequested(): Promise<ReadonlyMap<string, number>> {
    await delay(COLLECT_MS);
    const requested = [...this.#requested].map(([id, size]) => ({ id, size }));
    this.#requested = new Map();
    this.#nextReservation = null;
    return this.#raiseCounters(requested);
  }

  /** Returns the last number of each block, by serial. */
  async #raiseCounters(
    requested: readonly { readonly id: string; readonly size: number }[],
  ): Promise<ReadonlyMap<string, number>> {
    const { engine, writer } = this.#storage;
    const { rows } = await sql<Pick<DeviceCertificateRow, 'serial' | 'down_counter'>>`update device_certificates
      set down_counter = down_counter + o.size
      from ${createJsonRowsParameter(engine, { id: 'text', size: 'int' }, requested)}
      where serial = o.id returning serial, down_counter`.execute(writer);
    return new Map(rows.map(row => [row.serial, row.down_counter]));
  }

  async #serialize<T>(serial: string, work: () => Promise<T>): Promise<T> {
    const reservation = (this.#reservations.get(serial) ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#reservations.set(serial, reservation);
    try {
      return await reservation;
    } finally {
      if (this.#reservations.get(serial) === reservation) this.#reservations.delete(serial);
    }
  }

  /** Without a hello. Returns whether the last number was below the one that the controller has seen. */
  async continueAbove(serial: string, seen: number): Promise<boolean> {
    const { writer } = this.#storage;
    const block = this.#blocks.get(serial);
    const query = writer.selectFrom('device_certificates').select('down_counter').where('serial', '=', serial);
    const last = block === undefined ? (await query.executeTakeFirst())?.down_counter : block.next - 1;
    if (last === undefined || last >= seen) return false;
    const onCommitted = await this.prepareForHellos(writer, [{ serial, seen }]);
    onCommitted();
    return true;
  }

  /**
   * Runs in the transaction that records hellos. Raises each counter above the last one that the controller has seen, in
   * case the database was restored from a backup. With SQLite also reserves the next block, which saves a commit. Call
   * the returned function after the commit.
   */
  async prepareForHellos(db: Kysely<Database>, hellos: readonly SeenCounter[]): Promise<() => void> {
    const { engine } = this.#storage;
    const behind = hellos.filter(({ serial, seen }) => {
      const block = this.#blocks.get(serial);
      return seen <= MAX_PLAUSIBLE_COUNTER && (block === undefined || block.next <= seen);
    });
    if (behind.length === 0) return () => undefined;
    const size = engine === 'sqlite' ? BLOCK_SIZE : 0;
    const requested = behind.map(({ serial, seen }) => ({ id: serial, seen }));
    const { rows } = await sql<Pick<DeviceCertificateRow, 'serial' | 'down_counter'>>`update device_certificates
      set down_counter = case when down_counter < o.seen then o.seen else down_counter end + ${sql.lit(size)}
      from ${createJsonRowsParameter(engine, { id: 'text', seen: 'int' }, requested)}
      where serial = o.id ${size === 0 ? sql`and down_counter < o.seen` : sql``}
      returning serial, down_counter`.execute(db);
    const last = new Map(rows.map(row => [row.serial, row.down_counter]));
    return () => {
      for (const { serial, seen } of behind) {
        const counter = last.get(serial);
        this.#setBlock(serial, seen, counter === undefined ? null : { next: counter + 1 - size, size });
      }
    };
  }

  /** Keeps the current block if it is higher: a controller rejects counters that are too far behind. */
  #setBlock(serial: string, seen: number, fresh: { readonly next: number; readonly size: number } | null): void {
    const current = this.#blocks.get(serial);
    if (current !== undefined && current.next > Math.max(seen, fresh?.next ?? 0)) return;
    if (fresh === null || fresh.size === 0) this.#blocks.delete(serial);
    else this.#blocks.set(serial, { next: fresh.next, end: fresh.next + fresh.size });
  }
}
