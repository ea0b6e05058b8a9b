import type { DeviceId } from '@lintel/access-core/ids';
import { SequenceSpans, type Span } from './sequence-spans.ts';
import type { StoreFile } from './store-file.ts';

export type StoredKind = 'events' | 'rules-changed';

export interface NewFrame {
  readonly device: DeviceId;
  /** Of the certificate that it is signed under. */
  readonly serial: string;
  readonly kind: StoredKind;
  /** Of its events; none for an edit of the rules. */
  readonly spans: readonly Span[];
  readonly receivedAt: number;
  readonly payload: Uint8Array;
}

export interface StoredFrame {
  readonly id: number;
  readonly kind: StoredKind;
  readonly payload: Buffer;
}

export interface FrameNote {
  readonly id: number;
  readonly device: DeviceId;
  readonly serial: string;
  readonly spans: readonly Span[];
  readonly events: number;
  readonly bytes: number;
  readonly receivedAt: number;
}

interface NoteRow {
  readonly id: number;
  readonly device: string;
  readonly serial: string;
  readonly spans: string;
  readonly event_count: number;
  readonly bytes: number;
  readonly received_at: number;
}

const TRIAL_BYTES = 64 * 1024;

const NOTE = 'id, device, serial, spans, event_count, bytes, received_at';

const noteOf = (row: NoteRow): FrameNote => ({
  id: row.id,
  device: row.device as DeviceId,
  serial: row.serial,
  spans: JSON.parse(row.spans) as Span[],
  events: row.event_count,
  bytes: row.bytes,
  receivedAt: row.received_at,
});

const countOf = (spans: readonly Span[]): number => spans.reduce((sum, [first, last]) => sum + last - first + 1, 0);

/** Messages of controllers that the bridge has not confirmed yet, in the order in which they came. */
export class FrameTable {
  readonly #file: StoreFile;

  constructor(file: StoreFile) {
    this.#file = file;
  }

  /** In the place of those that it stands for, where there are any. */
  add({ device, serial, kind, spans, receivedAt, payload }: NewFrame, insteadOf: readonly FrameNote[] = []): FrameNote {
    const events = countOf(spans);
    const last = spans.at(-1)?.[1] ?? 0;
    const bytes = payload.length;
    const place = insteadOf[0]?.id ?? null;
    const { lastInsertRowid } = this.#file.run(database =>
      database.transaction(() => {
        for (const { id } of insteadOf) database.prepare('delete from frames where id = ?').run(id);
        return database
          .prepare(
            `insert into frames (id, device, serial, kind, last_sequence, event_count, spans, received_at, bytes, payload)
             values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          )
          .run(place, device, serial, kind, last, events, JSON.stringify(spans), receivedAt, bytes, payload);
      })(),
    );
    return { id: Number(lastInsertRowid), device, serial, spans, events, bytes, receivedAt };
  }

  /** Those behind the id whose events are all among these, in order. */
  coveredBy({ device, serial, spans }: Pick<NewFrame, 'device' | 'serial' | 'spans'>, after: number): FrameNote[] {
    const [first, last] = [spans[0]?.[0] ?? 0, spans.at(-1)?.[1] ?? 0];
    const rows = this.#file.run(database =>
      database
        .prepare(
          `select ${NOTE} from frames
           where device = ? and id > ? and serial = ? and kind = 'events' and last_sequence between ? and ? order by id`,
        )
        .all(device, after, serial, first, last),
    );
    const among = new SequenceSpans();
    for (const span of spans) among.add(span);
    return (rows as NoteRow[]).map(noteOf).filter(note => note.spans.every(span => among.hasAll(span)));
  }

  /** The device's next one behind the id. */
  next(device: DeviceId, after: number): StoredFrame | null {
    const row = this.#file.run(database =>
      database
        .prepare('select id, kind, payload from frames where device = ? and id > ? order by id limit 1')
        .get(device, after),
    );
    return (row as StoredFrame | undefined) ?? null;
  }

  /** Of events only, all of whose numbers the bridge has. */
  completeUpTo(device: DeviceId, sequence: number): FrameNote[] {
    const rows = this.#file.run(database =>
      database
        .prepare(`select ${NOTE} from frames where device = ? and kind = 'events' and last_sequence <= ? order by id`)
        .all(device, sequence),
    );
    return (rows as NoteRow[]).map(noteOf);
  }

  note(id: number): FrameNote | null {
    const row = this.#file.run(database => database.prepare(`select ${NOTE} from frames where id = ?`).get(id));
    return row === undefined ? null : noteOf(row as NoteRow);
  }

  oldest(): FrameNote | null {
    const row = this.#file.run(database => database.prepare(`select ${NOTE} from frames order by id limit 1`).get());
    return row === undefined ? null : noteOf(row as NoteRow);
  }

  /** A later edit of the rules stands for all before it. */
  edits(device: DeviceId): FrameNote[] {
    const rows = this.#file.run(database =>
      database
        .prepare(`select ${NOTE} from frames where device = ? and kind = 'rules-changed' order by id`)
        .all(device),
    );
    return (rows as NoteRow[]).map(noteOf);
  }

  remove(ids: readonly number[]): void {
    if (ids.length === 0) return;
    this.#file.run(database => {
      const one = database.prepare('delete from frames where id = ?');
      database.transaction(() => {
        for (const id of ids) one.run(id);
      })();
    });
  }

  /** Takes about as much of the disk as a message would, and gives it back. Throws where there is no room. */
  tryWriting(): void {
    this.#file.run(database => {
      database.prepare("insert into shelf (device, kind, payload) values ('', '', zeroblob(?))").run(TRIAL_BYTES);
      database.prepare("delete from shelf where device = ''").run();
    });
  }

  /** All of them, for the books that are kept in memory. */
  *all(): Generator<FrameNote> {
    let after = 0;
    for (;;) {
      const from = after;
      const rows = this.#file.run(database =>
        database.prepare(`select ${NOTE} from frames where id > ? order by id limit 1000`).all(from),
      ) as NoteRow[];
      yield* rows.map(noteOf);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }
}
