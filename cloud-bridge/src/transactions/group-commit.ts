import { sql, type Kysely } from 'kysely';
import { isTransient } from '../storage/database-error.ts';
import type { Storage } from '../storage/open-storage.ts';
import type { Database } from '../storage/schema.ts';

type Work<T> = (db: Kysely<Database>) => Promise<T>;

interface Waiting {
  readonly work: Work<unknown>;
  readonly succeed: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
  readonly attempts: number;
}

/** What is done once for all the works of a transaction, before and after them. */
export interface GroupFrame<Frame> {
  begin(db: Kysely<Database>): Promise<Frame>;
  end(db: Kysely<Database>, frame: Frame): Promise<void>;
  committed(frame: Frame, works: number): void;
}

const LARGEST_GROUP = 256;
const MOST_ATTEMPTS = 5;

/**
 * Commits the writes that wait together as one transaction: one flush to disk for all of them. Each runs under its own
 * savepoint, so that one that fails takes only itself back; everyone is answered after the commit.
 */
export class GroupCommit<Frame> {
  readonly #storage: Storage;
  readonly #frame: GroupFrame<Frame>;
  #waiting: Waiting[] = [];
  #draining = false;
  #current: Frame | undefined;

  constructor(storage: Storage, frame: GroupFrame<Frame>) {
    this.#storage = storage;
    this.#frame = frame;
  }

  get isIdle(): boolean {
    return !this.#draining && this.#waiting.length === 0;
  }

  run<T>(work: (db: Kysely<Database>, frame: Frame) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#enqueue({
        work: db => work(db, this.#current as Frame),
        succeed: value => resolve(value as T),
        fail: reject,
        attempts: 1,
      });
    });
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (!this.#draining) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#waiting.length > 0) {
      // Whoever is ready in this turn of the event loop shares the commit.
      await new Promise(resolve => setImmediate(resolve));
      const group = this.#waiting.splice(0, LARGEST_GROUP);
      try {
        const answers = await this.#storage.writer.connection().execute(db => this.#commit(db, group));
        for (const answer of answers) answer();
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.#draining = false;
  }

  async #commit(db: Kysely<Database>, group: readonly Waiting[]): Promise<Array<() => void>> {
    await sql.raw(this.#storage.engine === 'sqlite' ? 'begin immediate' : 'begin').execute(db);
    try {
      const frame = await this.#frame.begin(db);
      this.#current = frame;
      const answers: Array<() => void> = [];
      for (const waiting of group) answers.push(await this.#attempt(db, waiting));
      await this.#frame.end(db, frame);
      await sql.raw('commit').execute(db);
      this.#frame.committed(frame, group.length);
      return answers;
    } catch (error) {
      await sql.raw('rollback').execute(db);
      throw error;
    }
  }

  async #attempt(db: Kysely<Database>, waiting: Waiting): Promise<() => void> {
    await sql.raw('savepoint work').execute(db);
    try {
      const value = await waiting.work(db);
      await sql.raw('release savepoint work').execute(db);
      return () => waiting.succeed(value);
    } catch (error) {
      await sql.raw('rollback to savepoint work').execute(db);
      await sql.raw('release savepoint work').execute(db);
      const again = isTransient(error) && waiting.attempts < MOST_ATTEMPTS;
      return again ? () => this.#enqueue({ ...waiting, attempts: waiting.attempts + 1 }) : () => waiting.fail(error);
    }
  }
}
