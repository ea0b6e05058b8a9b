import { sql } from 'kysely';
import type { Storage } from '../../storage/open-storage.ts';

/**
 * Numbers that one SQLite bridge takes at a time, so that not every message waits for the disk. Those that a restart
 * leaves unused are skipped: to a controller a number that is missing is a reason to ask, not a fault.
 */
const BLOCK = 256;
/** Beyond this a controller's word on what it has seen cannot be true. */
const HIGHEST_BELIEVED = 2 ** 48;

interface Block {
  next: number;
  readonly end: number;
}

/** Numbers for what is signed for a controller, each used once under its certificate, also after a restart. */
export class DownCounters {
  readonly #storage: Storage;
  readonly #blocks = new Map<string, Block>();
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The first of so many numbers. */
  async take(serial: string, count: number): Promise<number> {
    const known = this.#fromBlock(serial, count);
    if (known !== null) return known;
    return this.#inTurn(serial, async () => this.#fromBlock(serial, count) ?? this.#reserve(serial, count));
  }

  #fromBlock(serial: string, count: number): number | null {
    const block = this.#blocks.get(serial);
    if (block === undefined || block.next + count > block.end) return null;
    block.next += count;
    return block.next - count;
  }

  /** Several bridges take numbers from one PostgreSQL: one by one, so that they stay close together. */
  async #reserve(serial: string, count: number): Promise<number> {
    const size = this.#storage.engine === 'sqlite' ? Math.max(BLOCK, count) : count;
    const row = await this.#storage.writer
      .updateTable('device_certificates')
      .set({ down_counter: sql<number>`down_counter + ${size}` })
      .where('serial', '=', serial)
      .returning('down_counter')
      .executeTakeFirst();
    if (row === undefined) throw new Error(`there is no certificate ${serial}`);
    const end = row.down_counter + 1;
    const block: Block = { next: end - size, end };
    this.#blocks.set(serial, block);
    block.next += count;
    return block.next - count;
  }

  async #inTurn<T>(serial: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(serial) ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#turns.set(serial, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(serial) === turn) this.#turns.delete(serial);
    }
  }

  /** A controller has seen higher numbers than we know of: the database is an older copy. Numbers go on above them. */
  async raise(serial: string, seen: number): Promise<void> {
    const block = this.#blocks.get(serial);
    if (seen > HIGHEST_BELIEVED || (block !== undefined && block.next > seen)) return;
    this.#blocks.delete(serial);
    await this.#storage.writer
      .updateTable('device_certificates')
      .set({ down_counter: seen })
      .where('serial', '=', serial)
      .where('down_counter', '<', seen)
      .execute();
  }

  forget(serial: string): void {
    this.#blocks.delete(serial);
  }
}
