import type { DeviceId } from '@lintel/access-core/ids';
import { EventRangeSet, type EpochEventRange } from './event-ranges.ts';
import type { GatewayStoreFile } from './gateway-sqlite-file.ts';

export type StoredFrameKind = 'events' | 'rules-changed';

export interface NewStoredFrame {
  readonly device: DeviceId;
  /** Serial number of the certificate that signed it. */
  readonly serial: string;
  readonly kind: StoredFrameKind;
  /** Its events; empty for a rule change. */
  readonly ranges: readonly EpochEventRange[];
  readonly receivedAt: number;
  readonly payload: Uint8Array;
}

export interface StoredFrame {
  readonly id: number;
  readonly kind: StoredFrameKind;
  readonly payload: Buffer;
}

export interface StoredFrameMetadata {
  readonly id: number;
  readonly device: DeviceId;
  readonly serial: string;
  readonly ranges: readonly EpochEventRange[];
  readonly events: number;
  readonly bytes: number;
  readonly receivedAt: number;
}

interface MetadataRow {
  readonly id: number;
  readonly device: string;
  readonly serial: string;
  readonly spans: string;
  readonly event_count: number;
  readonly bytes: number;
  readonly received_at: number;
}

const PROBE_BYTES = 64 * 1024;

const METADATA_COLUMNS = 'id, device, serial, spans, event_count, bytes, received_at';

const metadataOf = (row: MetadataRow): StoredFrameMetadata => ({
  id: row.id,
  device: row.device as DeviceId,
  serial: row.serial,
  ranges: JSON.parse(row.spans) as EpochEventRange[],
  events: row.event_count,
  bytes: row.bytes,
  receivedAt: row.received_at,
});

const eventCount = (ranges: readonly EpochEventRange[]): number =>
  ranges.reduce((sum, { range: [first, last] }) => sum + last - first + 1, 0);

const lastSequence = (ranges: readonly EpochEventRange[]): number =>
  Math.max(0, ...ranges.map(({ range }) => range[1]));

/** Messages of controllers that the bridge has not confirmed yet, in order of arrival. */
export class UnconfirmedFrameTable {
  readonly #file: GatewayStoreFile;

  constructor(file: GatewayStoreFile) {
    this.#file = file;
  }

  /** Deletes the `replaced` frames and takes the place of the first. */
  add(
    { device, serial, kind, ranges, receivedAt, payload }: NewStoredFrame,
    replaced: readonly StoredFrameMetadata[] = [],
  ): StoredFrameMetadata {
    const events = eventCount(ranges);
    const last = lastSequence(ranges);
    const bytes = payload.length;
    const id = replaced[0]?.id ?? null;
    const { lastInsertRowid } = this.#file.run(database =>
      database.transaction(() => {
        for (const frame of replaced) database.prepare('delete from frames where id = ?').run(frame.id);
        return database
          .prepare(
            `insert into frames (id, device, serial, kind, last_sequence, event_count, spans, received_at, bytes, payload)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(id, device, serial, kind, last, events, JSON.stringify(ranges), receivedAt, bytes, payload);
      })(),
    );
    return { id: Number(lastInsertRowid), device, serial, ranges, events, bytes, receivedAt };
  }

  /** Frames after the id whose events are all in `ranges`, in order. */
  framesCoveredBy(
    { device, serial, ranges }: Pick<NewStoredFrame, 'device' | 'serial' | 'ranges'>,
    after: number,
  ): StoredFrameMetadata[] {
    const [first, last] = [ranges[0]?.range[0] ?? 0, lastSequence(ranges)];
    const rows = this.#file.run(database =>
      database
        .prepare(
          `select ${METADATA_COLUMNS} from frames
           where device = ? and id > ? and serial = ? and kind = 'events' and last_sequence between ? and ? order by id`,
        )
        .all(device, after, serial, first, last),
    );
    const covering = new EventRangeSet(ranges);
    return (rows as MetadataRow[]).map(metadataOf).filter(frame => frame.ranges.every(range => covering.has(range)));
  }

  /** The first frame of the device after the id. */
  next(device: DeviceId, after: number): StoredFrame | null {
    const row = this.#file.run(database =>
      database
        .prepare('select id, kind, payload from frames where device = ? and id > ? order by id limit 1')
        .get(device, after),
    );
    return (row as StoredFrame | undefined) ?? null;
  }

  find(id: number): StoredFrameMetadata | null {
    const row = this.#file.run(database =>
      database.prepare(`select ${METADATA_COLUMNS} from frames where id = ?`).get(id),
    );
    return row === undefined ? null : metadataOf(row as MetadataRow);
  }

  oldest(): StoredFrameMetadata | null {
    const row = this.#file.run(database =>
      database.prepare(`select ${METADATA_COLUMNS} from frames order by id limit 1`).get(),
    );
    return row === undefined ? null : metadataOf(row as MetadataRow);
  }

  /** A new rule change replaces all of these. */
  ruleChanges(device: DeviceId): StoredFrameMetadata[] {
    const rows = this.#file.run(database =>
      database
        .prepare(`select ${METADATA_COLUMNS} from frames where device = ? and kind = 'rules-changed' order by id`)
        .all(device),
    );
    return (rows as MetadataRow[]).map(metadataOf);
  }

  eventFramesOfOtherCertificates(device: DeviceId, serial: string): StoredFrameMetadata[] {
    const rows = this.#file.run(database =>
      database
        .prepare(
          `select ${METADATA_COLUMNS} from frames where device = ? and serial <> ? and kind = 'events' order by id`,
        )
        .all(device, serial),
    );
    return (rows as MetadataRow[]).map(metadataOf);
  }

  remove(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#file.run(database => {
      const statement = database.prepare('delete from frames where id = ?');
      database.transaction(() => {
        for (const id of ids) statement.run(id);
      })();
    });
  }

  /** Writes as many bytes as a message takes and deletes them. Throws when the disk is full. */
  probeWrite(): void {
    this.#file.run(database => {
      database.prepare("insert into shelf (device, kind, payload) values ('', '', zeroblob(?))").run(PROBE_BYTES);
      database.prepare("delete from shelf where device = ''").run();
    });
  }

  *all(): Generator<StoredFrameMetadata> {
    let after = 0;
    for (;;) {
      const from = after;
      const rows = this.#file.run(database =>
        database.prepare(`select ${METADATA_COLUMNS} from frames where id > ? order by id limit 1000`).all(from),
      ) as MetadataRow[];
      yield* rows.map(metadataOf);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }
}
