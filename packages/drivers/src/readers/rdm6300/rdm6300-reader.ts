import { CardReaderBase } from '../../base/card-reader-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ReaderSignalQuality } from '../../interfaces/reader-signal-quality.ts';
import { CardReadingCounter } from '../signal/card-reading-counter.ts';
import type { SerialLine } from '../../serial-line/serial-line-interface.ts';
import { TapFilter } from '../taps/tap-filter.ts';
import { cardUidFromBytes } from '../taps/card-uid-from-bytes.ts';
import { Rdm6300FrameStream } from './rdm6300-frame.ts';

/**
 * A tag has five bytes and a uid has four, seven or ten. `whole_tag`: all five bytes after two zeros.
 * `printed_number`: the last four, the ten digits printed on most tags; 256 tags then share a uid.
 */
export type Rdm6300UidFormat = 'whole_tag' | 'printed_number';

export interface Rdm6300ReaderOptions {
  /** 9,600 baud, 8N1. */
  readonly line: SerialLine;
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly uid?: Rdm6300UidFormat;
  /** How long a tag must be away to count as a new tap. */
}

const GONE_AFTER_MS = 500;

const bytesOfUid: Readonly<Record<Rdm6300UidFormat, (tag: Uint8Array) => Uint8Array>> = {
  whole_tag: tag => {
    const uid = new Uint8Array(2 + tag.length);
    uid.set(tag, 2);
    return uid;
  },
  printed_number: tag => tag.subarray(1),
};

/**
 * A reader that sends the number of a 125 kHz tag as text. It only sends, so only a line fault shows that it is gone.
 */
export class Rdm6300Reader extends CardReaderBase {
  readonly #line: SerialLine;
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #uid: Rdm6300UidFormat;
  readonly #filter: TapFilter;
  readonly #signal: CardReadingCounter;

  constructor({ line, clock, uid = 'whole_tag' }: Rdm6300ReaderOptions) {
    super();
    this.#line = line;
    this.#clock = clock;
    this.#uid = uid;
    this.#filter = new TapFilter(GONE_AFTER_MS);
    const signal = new CardReadingCounter(clock);
    this.#signal = signal;
    const frames = new Rdm6300FrameStream(() => signal.recordError('damaged'));
    line.onBytes(bytes => {
      for (const tag of frames.take(bytes)) this.#seen(tag);
    });
    line.onOpen(() => this.#filter.start(clock.now()));
    line.onFault(this.health.follow);
  }

  /** The reader does not report failed reads, so only the line is measured. */
  signal(): ReaderSignalQuality {
    return { link: 'serial', line: this.#signal.readings(), cards: null };
  }

  #seen(tag: Uint8Array): void {
    this.#signal.recordSuccess();
    const uid = cardUidFromBytes(bytesOfUid[this.#uid](tag));
    if (uid !== null && this.#filter.isNewTap(uid, this.#clock.now())) this.tapped(uid);
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}
