import { sql, type Kysely } from 'kysely';
import { isTransientDatabaseError } from '../storage/database-error.ts';
import type { Storage } from '../storage/open-storage.ts';
import { rollBack } from '../storage/roll-back.ts';
import type { Database } from '../storage/schema.ts';

type Work<T> = (db: Kysely<Database>) => Promise<T>;

interface QueuedWrite {
  readonly work: Work<unknown>;
  readonly isRepeatable: boolean;
  readonly succeed: (value: unknown) => void;
  readonly fail: (error: unknown) => void;
  readonly attempts: number;
}

/** Runs once per transaction, before and after its writes. Each transaction has its own `State`. */
export interface GroupCommitHooks<State> {
  begin(db: Kysely<Database>, hasSavepoints: boolean): Promise<State>;
  beforeCommit(db: Kysely<Database>, state: State): Promise<void>;
  afterCommit(state: State, writeCount: number): void;
}

const MAX_GROUP_SIZE = 256;
const MAX_ATTEMPTS = 5;
/** After a group that had to be repeated. */
const GROUPS_WITH_SAVEPOINTS = 20;

/**
 * Commits queued writes together in one transaction, with one flush to disk. A failed write rolls back only itself, and all
 * writes settle after the commit. Each write runs in its own savepoint, which takes two round trips to the database. A group
 * of repeatable writes runs without savepoints, and again with them if one fails.
 */
export class GroupCommit<State> {
  readonly #storage: Storage;
  readonly #hooks: GroupCommitHooks<State>;
  #queue: QueuedWrite[] = [];
  #isDraining = false;
  #groupsUntilFast = 0;
  #state: State | undefined;

  constructor(storage: Storage, hooks: GroupCommitHooks<State>) {
    this.#storage = storage;
    this.#hooks = hooks;
  }

  get isIdle(): boolean {
    return !this.#isDraining && this.#queue.length === 0;
  }

  /** `isRepeatable`: the work changes nothing but the database, so that it can run again after a rollback. */
  run<T>(work: (db: Kysely<Database>, state: State) => Promise<T>, isRepeatable = false): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#enqueue({
        work: db => work(db, this.#state as State),
        isRepeatable,
        succeed: value => resolve(value as T),
        fail: reject,
        attempts: 1,
      });
    });
  }

  #enqueue(write: QueuedWrite): void {
    this.#queue.push(write);
    if (!this.#isDraining) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    while (this.#queue.length > 0) {
      // Writes that are ready in this turn of the event loop share the commit.
      await new Promise(resolve => setImmediate(resolve));
      const group = this.#queue.splice(0, MAX_GROUP_SIZE);
      try {
        const settlements = await this.#storage.writer.connection().execute(db => this.#run(db, group));
        for (const settle of settlements) settle();
      } catch (error) {
        for (const { fail } of group) fail(error);
      }
    }
    this.#isDraining = false;
  }

  async #run(db: Kysely<Database>, group: readonly QueuedWrite[]): Promise<Array<() => void>> {
    const isFast = this.#groupsUntilFast === 0 && group.every(({ isRepeatable }) => isRepeatable);
    if (!isFast) {
      this.#groupsUntilFast = Math.max(0, this.#groupsUntilFast - 1);
      return this.#commitWithSavepoints(db, group);
    }
    const progress = { isCommitting: false };
    try {
      const runDirectly = async (write: QueuedWrite): Promise<() => void> => {
        const value = await write.work(db);
        return () => write.succeed(value);
      };
      return await this.#commit(db, group, runDirectly, { hasSavepoints: false, progress });
    } catch (error) {
      // Without an answer to the commit, nobody knows whether it took effect.
      if (progress.isCommitting) throw error;
      this.#groupsUntilFast = GROUPS_WITH_SAVEPOINTS;
      return this.#commitWithSavepoints(db, group);
    }
  }

  #commitWithSavepoints(db: Kysely<Database>, group: readonly QueuedWrite[]): Promise<Array<() => void>> {
    return this.#commit(db, group, write => this.#runInSavepoint(db, write));
  }

  async #commit(
    db: Kysely<Database>,
    group: readonly QueuedWrite[],
    run: (write: QueuedWrite) => Promise<() => void>,
    { hasSavepoints = true, progress = { isCommitting: false } } = {},
  ): Promise<Array<() => void>> {
    await sql.raw(this.#storage.engine === 'sqlite' ? 'begin immediate' : 'begin').execute(db);
    try {
      const state = await this.#hooks.begin(db, hasSavepoints);
      this.#state = state;
      const settlements: Array<() => void> = [];
      for (const write of group) settlements.push(await run(write));
      await this.#hooks.beforeCommit(db, state);
      progress.isCommitting = true;
      await sql.raw('commit').execute(db);
      this.#hooks.afterCommit(state, group.length);
      return settlements;
    } catch (error) {
      await rollBack(db);
      throw error;
    }
  }

  async #runInSavepoint(db: Kysely<Database>, write: QueuedWrite): Promise<() => void> {
    await sql.raw('savepoint work').execute(db);
    try {
      const value = await write.work(db);
      await sql.raw('release savepoint work').execute(db);
      return () => write.succeed(value);
    } catch (error) {
      try {
        await sql.raw('rollback to savepoint work').execute(db);
        await sql.raw('release savepoint work').execute(db);
      } catch {
        // The whole transaction is lost. Its error is the one to report.
        throw error;
      }
      const canRetry = isTransientDatabaseError(error) && write.attempts < MAX_ATTEMPTS;
      return canRetry ? () => this.#enqueue({ ...write, attempts: write.attempts + 1 }) : () => write.fail(error);
    }
  }
}
