import type { Storage } from '../../storage/open-storage.ts';
import type { DeviceSyncRow } from '../../storage/device-schema.ts';
import { relaxedTransaction } from '../../storage/relaxed-transaction.ts';

const GATHER_MS = 10;
const ROWS_AT_ONCE = 100;

/** Which controller serves which revision. What many say at once is written down together. */
export class ServedRevisions {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  #rows = new Map<string, DeviceSyncRow>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#onError = onError;
  }

  find(deviceId: string): Promise<DeviceSyncRow | undefined> {
    const waiting = this.#rows.get(deviceId);
    if (waiting !== undefined) return Promise.resolve(waiting);
    return this.#storage.reader
      .selectFrom('device_sync')
      .selectAll()
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
  }

  note(row: DeviceSyncRow): void {
    this.#rows.set(row.device_id, row);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write()).catch(this.#onError);
    }, GATHER_MS);
  }

  async #write(): Promise<void> {
    const rows = [...this.#rows.values()];
    // After a power cut a controller may be known by an older revision: then it gets a snapshot.
    await relaxedTransaction(this.#storage, async db => {
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        await db
          .insertInto('device_sync')
          .values(rows.slice(at, at + ROWS_AT_ONCE))
          .onConflict(conflict =>
            conflict.column('device_id').doUpdateSet(row => ({
              revision: row.ref('excluded.revision'),
              digest: row.ref('excluded.digest'),
              digest_key_id: row.ref('excluded.digest_key_id'),
              scope: row.ref('excluded.scope'),
              served_at: row.ref('excluded.served_at'),
            })),
          )
          .execute();
      }
    });
    for (const row of rows) if (this.#rows.get(row.device_id) === row) this.#rows.delete(row.device_id);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    if (this.#rows.size > 0) await this.#write();
  }
}
