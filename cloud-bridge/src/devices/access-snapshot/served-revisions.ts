import { type Kysely, sql } from 'kysely';
import { buildIdInExpression } from '../../queries/sql-conditions.ts';
import { BatchedLoader } from '../../storage/batched-loader.ts';
import type { Storage } from '../../storage/open-storage.ts';
import type { DeviceMemberGroupRow, DeviceSyncRow } from '../../storage/device-schema.ts';
import type { Database } from '../../storage/schema.ts';
import { runAsyncCommitTransaction } from '../../storage/async-commit-transaction.ts';

const BATCH_MS = 10;
const ROWS_PER_INSERT = 100;

type DeviceGroups = Pick<DeviceMemberGroupRow, 'device_id' | 'organization_id'> & {
  readonly groups: ReadonlySet<string>;
};

/** The revision that each controller serves, and the groups that were sent to it. Writes them in batches. */
export class ServedRevisions {
  readonly #storage: Storage;
  readonly #onError: (error: unknown) => void;
  readonly #loader: BatchedLoader<DeviceSyncRow>;
  #pending = new Map<string, DeviceSyncRow>();
  readonly #pendingGroups = new Map<string, DeviceGroups>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage;
    this.#loader = new BatchedLoader(async ids => {
      const isListed = buildIdInExpression(storage.engine, sql`device_id`, ids);
      const { rows } = await sql<DeviceSyncRow>`select * from device_sync where ${isListed}`.execute(storage.reader);
      return new Map(rows.map(row => [row.device_id, row]));
    });
    this.#onError = onError;
  }

  async find(deviceId: string): Promise<DeviceSyncRow | undefined> {
    return this.#pending.get(deviceId) ?? this.#loader.load(deviceId);
  }

  record(row: DeviceSyncRow): void {
    this.#pending.set(row.device_id, row);
    this.#writeSoon();
  }

  /** To be called before a snapshot is sent: the controller may use it although its report never arrives. */
  recordGroups(sent: DeviceGroups): void {
    const earlier = this.#pendingGroups.get(sent.device_id)?.groups ?? [];
    this.#pendingGroups.set(sent.device_id, { ...sent, groups: new Set([...earlier, ...sent.groups]) });
    this.#writeSoon();
  }

  /** The groups that were in any snapshot of the controller. */
  async groupsOf(deviceId: string): Promise<ReadonlySet<string>> {
    const pending = this.#pendingGroups.get(deviceId)?.groups ?? [];
    const rows = await this.#storage.reader
      .selectFrom('device_member_groups')
      .select('member_group_id')
      .where('device_id', '=', deviceId)
      .execute();
    return new Set([...pending, ...rows.map(row => row.member_group_id)]);
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write()).catch(this.#onError);
    }, BATCH_MS);
  }

  async #write(): Promise<void> {
    const rows = [...this.#pending.values()];
    const groups = [...this.#pendingGroups.values()];
    // A power cut may lose the latest reports; the controller then receives a full snapshot.
    await runAsyncCommitTransaction(this.#storage, async db => {
      for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
        const existing = await this.#withoutDeleted(db, rows.slice(at, at + ROWS_PER_INSERT));
        if (existing.length === 0) continue;
        await db
          .insertInto('device_sync')
          .values(existing)
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
        await db
          .insertInto('served_revisions')
          .values(
            existing.map(({ device_id, organization_id, revision, served_at }) => ({
              device_id,
              organization_id,
              revision,
              served_at,
            })),
          )
          .onConflict(conflict => conflict.doNothing())
          .execute();
      }
      for (let at = 0; at < groups.length; at += ROWS_PER_INSERT)
        await this.#addGroups(db, await this.#withoutDeleted(db, groups.slice(at, at + ROWS_PER_INSERT)));
    });
    for (const sent of groups)
      if (this.#pendingGroups.get(sent.device_id) === sent) this.#pendingGroups.delete(sent.device_id);
    for (const row of rows) if (this.#pending.get(row.device_id) === row) this.#pending.delete(row.device_id);
  }

  /** Rows are kept: the events of a controller may arrive long after it has lost a group. */
  async #addGroups(db: Kysely<Database>, sent: readonly DeviceGroups[]): Promise<void> {
    const rows = sent.flatMap(({ device_id, organization_id, groups }) =>
      [...groups].map(member_group_id => ({ device_id, organization_id, member_group_id })),
    );
    for (let at = 0; at < rows.length; at += ROWS_PER_INSERT)
      await db
        .insertInto('device_member_groups')
        .values(rows.slice(at, at + ROWS_PER_INSERT))
        .onConflict(conflict => conflict.doNothing())
        .execute();
  }

  /** The organization of a device may have been deleted after the device confirmed its snapshot. */
  async #withoutDeleted<R extends { readonly device_id: string }>(
    db: Kysely<Database>,
    rows: readonly R[],
  ): Promise<R[]> {
    const isListed = buildIdInExpression(
      this.#storage.engine,
      sql`id`,
      rows.map(({ device_id }) => device_id),
    );
    const { rows: found } = await sql<{ id: string }>`select id from devices where ${isListed}`.execute(db);
    const ids = new Set(found.map(({ id }) => id));
    return rows.filter(({ device_id }) => ids.has(device_id));
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    if (this.#pending.size + this.#pendingGroups.size > 0) await this.#write().catch(this.#onError);
  }
}
