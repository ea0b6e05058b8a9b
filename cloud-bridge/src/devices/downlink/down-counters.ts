import { type Kysely, sql } from 'kysely';
import type { Storage } from '../../storage/open-storage.ts';
import type { Database } from '../../storage/schema.ts';

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

  /**
   * What a hello needs, within the transaction that notes it: numbers above all that the controller has seen, whose
   * database may be an older copy, and on SQLite the next block, which would be a commit of its own a moment later. To be
   * called when that is committed: the function that it answers.
   */
  async prepare(db: Kysely<Database>, serial: string, seen: number): Promise<() => void> {
    const block = this.#blocks.get(serial);
    if (seen > HIGHEST_BELIEVED || (block !== undefined && block.next > seen)) return () => undefined;
    const size = this.#storage.engine === 'sqlite' ? BLOCK : 0;
    const row = await db
      .updateTable('device_certificates')
      .set({ down_counter: sql<number>`case when down_counter < ${seen} then ${seen} else down_counter end + ${size}` })
      .where('serial', '=', serial)
      .$if(size === 0, query => query.where('down_counter', '<', seen))
      .returning('down_counter')
      .executeTakeFirst();
    return () => this.#adopt(serial, seen, row === undefined ? null : { next: row.down_counter + 1 - size, size });
  }

  /** Unless somebody has taken higher numbers meanwhile: a controller refuses those that are far behind. */
  #adopt(serial: string, seen: number, fresh: { readonly next: number; readonly size: number } | null): void {
    const held = this.#blocks.get(serial);
    if (held !== undefined && held.next > Math.max(seen, fresh?.next ?? 0)) return;
    if (fresh === null || fresh.size === 0) this.#blocks.delete(serial);
    else this.#blocks.set(serial, { next: fresh.next, end: fresh.next + fresh.size });
  }

  forget(serial: string): void {
    this.#blocks.delete(serial);
  }
}
