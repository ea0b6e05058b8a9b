import { CardReaderBase } from '../../base/card-reader-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { ReaderSignal } from '../../ports/reader-signal.ts';
import { SignalRecord } from '../signal/signal-record.ts';
import type { SerialLine } from '../../serial-line/serial-line-port.ts';
import { TapGate } from '../taps/tap-gate.ts';
import { uidOfBytes } from '../taps/uid-of-bytes.ts';
import { Rdm6300FrameStream } from './rdm6300-frame.ts';

/**
 * A tag has five bytes and a uid has four, seven or ten. `whole_tag`: all five behind two zeros. `printed_number`: the
 * last four, which are the ten digits printed on most tags; then 256 tags share a uid.
 */
export type TagUid = 'whole_tag' | 'printed_number';

export interface Rdm6300ReaderOptions {
  /** 9,600 baud, 8N1. */
  readonly line: SerialLine;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly uid?: TagUid;
  /** How long a tag must be away before it is a new tap. */
  readonly goneAfterMs?: number;
}

const GONE_AFTER_MS = 500;

const bytesOfUid: Readonly<Record<TagUid, (tag: Uint8Array) => Uint8Array>> = {
  whole_tag: tag => {
    const uid = new Uint8Array(2 + tag.length);
    uid.set(tag, 2);
    return uid;
  },
  printed_number: tag => tag.subarray(1),
};

/** A reader that sends the number of a 125 kHz tag as text. It listens only: whether it still lives shows on the line alone. */
export class Rdm6300Reader extends CardReaderBase {
  readonly #line: SerialLine;
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #uid: TagUid;
  readonly #gate: TapGate;
  readonly #signal: SignalRecord;

  constructor({ line, clock, uid = 'whole_tag', goneAfterMs = GONE_AFTER_MS }: Rdm6300ReaderOptions) {
    super();
    this.#line = line;
    this.#clock = clock;
    this.#uid = uid;
    this.#gate = new TapGate(goneAfterMs);
    const signal = new SignalRecord(clock);
    this.#signal = signal;
    const frames = new Rdm6300FrameStream(() => signal.broken('damaged'));
    line.onBytes(bytes => {
      for (const tag of frames.take(bytes)) this.#seen(tag);
    });
    line.onFault(this.health.follow);
  }

  /** The reader keeps to itself which tags it could not read: what it sends shows its line alone. */
  signal(): ReaderSignal {
    return { link: 'serial', line: this.#signal.readings(), cards: null };
  }

  #seen(tag: Uint8Array): void {
    this.#signal.clean();
    const uid = uidOfBytes(bytesOfUid[this.#uid](tag));
    if (uid !== null && this.#gate.sees(uid, this.#clock.now())) this.tapped(uid);
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}
