import type { DeviceId } from '@lintel/access-core/ids';
import type { DownKind } from '@lintel/wire-protocol/mqtt/topics';
import type { StoreFile } from './store-file.ts';

export interface Shelved {
  readonly kind: DownKind;
  readonly payload: Buffer;
}

/** A controller accepts no number that is further behind than this. */
const MOST_FOR_ONE = 64;
const MOST_BYTES_FOR_ONE = 4 * 1024 * 1024;

/** What came down for a controller that is away, until it is back. The oldest leaves when there is too much. */
export class OfflineDownlinkQueue {
  readonly #file: StoreFile;

  constructor(file: StoreFile) {
    this.#file = file;
  }

  put(device: DeviceId, kind: DownKind, payload: Uint8Array): void {
    this.#file.run(database => {
      database.transaction(() => {
        database.prepare('insert into shelf (device, kind, payload) values (?, ?, ?)').run(device, kind, payload);
        const rows = database
          .prepare('select id, length(payload) as bytes from shelf where device = ? order by id desc')
          .all(device) as { id: number; bytes: number }[];
        let bytes = 0;
        const remove = database.prepare('delete from shelf where id = ?');
        for (const [index, row] of rows.entries()) {
          bytes += row.bytes;
          if (index >= MOST_FOR_ONE || bytes > MOST_BYTES_FOR_ONE) remove.run(row.id);
        }
      })();
    });
  }

  /** All that waits for it, in order; it waits no more. */
  take(device: DeviceId): Shelved[] {
    return this.#file.run(database =>
      database.transaction(() => {
        const rows = database.prepare('select kind, payload from shelf where device = ? order by id').all(device);
        if (rows.length > 0) database.prepare('delete from shelf where device = ?').run(device);
        return rows as Shelved[];
      })(),
    );
  }

  /** What waits for those that are not of the site any more. */
  keepOnly(devices: ReadonlySet<string>): void {
    this.#file.run(database => {
      const rows = database.prepare('select distinct device from shelf').all() as { device: string }[];
      for (const { device } of rows) {
        if (!devices.has(device)) database.prepare('delete from shelf where device = ?').run(device);
      }
    });
  }
}
