import type { DeviceId } from '@lintel/access-core/ids';
import type { GatewayStoreFile } from './gateway-sqlite-file.ts';

const MAX_STORED = 10_000;

/**
 * Revocations signed by the bridge, for controllers that connect while the gateway is offline. A controller that serves a revision
 * has all revocations up to it. Revocations that every controller has are deleted.
 */
export class StoredRevocations {
  readonly #file: GatewayStoreFile;

  constructor(file: GatewayStoreFile) {
    this.#file = file;
  }

  add(counter: number, revision: number, payload: Uint8Array): void {
    this.#file.run(database => {
      database
        .prepare('insert or ignore into revocations (counter, revision, payload) values (?, ?, ?)')
        .run(counter, revision, payload);
      database.prepare('delete from revocations where counter <= ?').run(counter - MAX_STORED);
    });
  }

  /** The revision that the controller reports as active. */
  setServedRevision(device: DeviceId, revision: number, site: ReadonlySet<DeviceId>): void {
    this.#file.run(database => {
      database
        .prepare(
          'insert into served (device, revision) values (?, ?) on conflict do update set revision = excluded.revision',
        )
        .run(device, revision);
      const rows = database.prepare('select device, revision from served').all() as {
        device: DeviceId;
        revision: number;
      }[];
      const known = new Map(rows.map(row => [row.device, row.revision]));
      const oldest = Math.min(...[...site].map(id => known.get(id) ?? -1));
      database.prepare('delete from revocations where revision <= ?').run(oldest);
    });
  }

  /** Revocations that the controller may lack, in order. */
  pendingFor(device: DeviceId): Buffer[] {
    return this.#file.run(database => {
      const row = database.prepare('select revision from served where device = ?').get(device);
      const { revision } = (row as { revision: number } | undefined) ?? { revision: -1 };
      const rows = database
        .prepare('select payload from revocations where revision > ? order by counter')
        .all(revision);
      return (rows as { payload: Buffer }[]).map(({ payload }) => payload);
    });
  }

  /** 0 without revocations. */
  latestCounter(): number {
    return this.#file.run(database => {
      const row = database.prepare('select max(counter) as counter from revocations').get();
      return (row as { counter: number | null }).counter ?? 0;
    });
  }

  get count(): number {
    return this.#file.run(
      database => (database.prepare('select count(*) as count from revocations').get() as { count: number }).count,
    );
  }
}
