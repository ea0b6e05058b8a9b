import type { DeviceId } from '@lintel/access-core/ids';
import type { StoreFile } from './store-file.ts';

const MOST = 10_000;

/**
 * Revocations as the bridge has signed them, for controllers that come back while nobody can tell them anything else. A
 * controller that serves a revision has had all that was revoked up to it; what everybody has had is let go.
 */
export class RevocationShelf {
  readonly #file: StoreFile;

  constructor(file: StoreFile) {
    this.#file = file;
  }

  put(counter: number, revision: number, payload: Uint8Array): void {
    this.#file.run(database => {
      database
        .prepare('insert or ignore into revocations (counter, revision, payload) values (?, ?, ?)')
        .run(counter, revision, payload);
      database.prepare('delete from revocations where counter <= ?').run(counter - MOST);
    });
  }

  /** The controller's own word on what it decides by. */
  served(device: DeviceId, revision: number, site: ReadonlySet<DeviceId>): void {
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

  /** Those that the controller may not know yet, in order. */
  for(device: DeviceId): Buffer[] {
    return this.#file.run(database => {
      const row = database.prepare('select revision from served where device = ?').get(device);
      const { revision } = (row as { revision: number } | undefined) ?? { revision: -1 };
      const rows = database
        .prepare('select payload from revocations where revision > ? order by counter')
        .all(revision);
      return (rows as { payload: Buffer }[]).map(({ payload }) => payload);
    });
  }

  /** The newest of them; 0 without any. */
  highest(): number {
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
