import type { Kysely } from 'kysely';
import type { DatabaseEngine } from '../storage/database-engine-type.ts';
import type { Database } from '../storage/schema.ts';
import { canInsertAsJson, insertRow, insertRows, ROWS_PER_INSERT } from './insert-rows.ts';

/** What a write uses to reach the database. */
export interface WriteStatements {
  readonly db: Kysely<Database>;
  insert<T extends keyof Database>(table: T, row: Database[T]): Promise<void>;
}

export const createDirectStatements = (db: Kysely<Database>): WriteStatements => ({
  db,
  insert: (table, row) => insertRow(db, table, row),
});

/**
 * Inserts the rows of several writes in one statement. A write defers its inserts until it uses the database for anything else.
 * Then all deferred rows are inserted first, so that every statement finds them.
 */
export class DeferredInserts {
  readonly #db: Kysely<Database>;
  readonly #engine: DatabaseEngine;
  /** Rows of one table with the same columns. */
  #pending: { readonly table: keyof Database; readonly rows: object[] } | null = null;
  #inserted: Promise<void> = Promise.resolve();

  constructor(db: Kysely<Database>, engine: DatabaseEngine) {
    this.#db = db;
    this.#engine = engine;
  }

  /** For one write. Call it after the write before has ended. */
  async createStatements(): Promise<WriteStatements> {
    await this.#inserted;
    let isDeferring = true;
    const useDatabase = (): Kysely<Database> => {
      isDeferring = false;
      this.#startInsert();
      return this.#db;
    };
    return {
      get db() {
        return useDatabase();
      },
      insert: async (table, row) => {
        if (isDeferring && canInsertAsJson(row)) await this.#add(table, row);
        else await insertRow(useDatabase(), table, row);
      },
    };
  }

  async #add(table: keyof Database, row: object): Promise<void> {
    while (this.#pending !== null && !canAppend(this.#pending, table, row)) {
      this.#startInsert();
      await this.#inserted;
    }
    this.#pending ??= { table, rows: [] };
    this.#pending.rows.push(row);
  }

  /** The next statement on the same connection runs after this insert. Only one may be under way. */
  #startInsert(): void {
    if (this.#pending === null) return;
    const { table, rows } = this.#pending;
    this.#pending = null;
    this.#inserted = insertRows(this.#db, this.#engine, table, rows);
    this.#inserted.catch(() => undefined);
  }

  /** Call before the commit. Throws if an insert failed. */
  async flush(): Promise<void> {
    this.#startInsert();
    await this.#inserted;
  }
}

const canAppend = (
  pending: { readonly table: keyof Database; readonly rows: readonly object[] },
  table: keyof Database,
  row: object,
): boolean =>
  pending.table === table &&
  pending.rows.length < ROWS_PER_INSERT &&
  Object.keys(pending.rows[0]!).join() === Object.keys(row).join();
