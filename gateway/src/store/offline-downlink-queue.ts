import type { DeviceId } from '@lintel/access-core/ids';
import type { DownlinkMessageKind } from '@lintel/wire-protocol/mqtt/topics';
import type { GatewayStoreFile } from './gateway-sqlite-file.ts';

export interface QueuedDownlinkMessage {
  readonly kind: DownlinkMessageKind;
  readonly payload: Buffer;
}

/** Controllers reject counters that are further behind than this. */
const MAX_PER_DEVICE = 64;
const MAX_BYTES_PER_DEVICE = 4 * 1024 * 1024;

/** Downlink messages for disconnected controllers. When a queue is full, its oldest messages are deleted. */
export class OfflineDownlinkQueue {
  readonly #file: GatewayStoreFile;

  constructor(file: GatewayStoreFile) {
    this.#file = file;
  }

  put(device: DeviceId, kind: DownlinkMessageKind, payload: Uint8Array): void {
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
          if (index >= MAX_PER_DEVICE || bytes > MAX_BYTES_PER_DEVICE) remove.run(row.id);
        }
      })();
    });
  }

  /** Returns the messages of the device in order and deletes them. */
  take(device: DeviceId): QueuedDownlinkMessage[] {
    return this.#file.run(database =>
      database.transaction(() => {
        const rows = database.prepare('select kind, payload from shelf where device = ? order by id').all(device);
        if (rows.length > 0) database.prepare('delete from shelf where device = ?').run(device);
        return rows as QueuedDownlinkMessage[];
      })(),
    );
  }

  /** Deletes the messages for devices that no longer belong to the site. */
  removeExcept(devices: ReadonlySet<string>): void {
    this.#file.run(database => {
      const rows = database.prepare('select distinct device from shelf').all() as { device: string }[];
      for (const { device } of rows) {
        if (!devices.has(device)) database.prepare('delete from shelf where device = ?').run(device);
      }
    });
  }
}
