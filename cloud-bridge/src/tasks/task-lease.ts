import type { Storage } from '../storage/open-storage.ts';
import { createLeaseOwnerId } from './lease-owner.ts';

const LEASE_MS = 60_000;

/** Permits one of several bridges to run a task. Another bridge takes over when the lease of a killed bridge expires. */
export class TaskLease {
  readonly #storage: Storage;
  readonly #name: string;
  readonly #clock: () => number;
  readonly #owner = createLeaseOwnerId();

  constructor(storage: Storage, name: string, clock: () => number) {
    this.#storage = storage;
    this.#name = name;
    this.#clock = clock;
  }

  /** Acquires or renews the lease. False while another bridge holds it. */
  async acquire(): Promise<boolean> {
    const now = this.#clock();
    const row = { name: this.#name, owner: this.#owner, lease_until: now + LEASE_MS };
    const { numInsertedOrUpdatedRows } = await this.#storage.writer
      .insertInto('task_leases')
      .values(row)
      .onConflict(conflict =>
        conflict
          .column('name')
          .doUpdateSet({ owner: row.owner, lease_until: row.lease_until })
          .where(where =>
            where.or([
              where('task_leases.lease_until', '<=', now),
              // Of a bridge that was killed while its clock was ahead.
              where('task_leases.lease_until', '>', now + 2 * LEASE_MS),
              where('task_leases.owner', '=', row.owner),
            ]),
          ),
      )
      .executeTakeFirstOrThrow();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async release(): Promise<void> {
    await this.#storage.writer
      .updateTable('task_leases')
      .set({ lease_until: 0 })
      .where('name', '=', this.#name)
      .where('owner', '=', this.#owner)
      .execute();
  }
}
