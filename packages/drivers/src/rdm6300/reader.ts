import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { CardReaderBase } from '../base/card-reader-base.ts';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { CardReadingCounter } from '../taps/card-reading-counter.ts';
import { TapFilter, cardUidFromBytes } from '../taps/tap-filter.ts';

/*
 * Readers for 125 kHz tags (RDM6300, ID-12 and similar): STX, ten hex digits, two hex digits with the XOR of the five
 * bytes, ETX; repeated while the tag is present. Some send CR LF before ETX.
 */

const STX = 0x02;
const ETX = 0x03;
const CR = 0x0d;
const LF = 0x0a;
const TAG_BYTES = 5;
const DIGITS = 2 * (TAG_BYTES + 1);

const isIgnored = (byte: number): boolean => byte === CR || byte === LF;

const digitOf = (byte: number): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const upper = byte & 0xdf;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x41 + 10 : -1;
};

/**
 * Extracts tags from received bytes. Keeps twelve digits at most. A parser of serialport would split at ETX, without a limit,
 * and would not find the beginning of a tag after noise.
 */
export class Rdm6300FrameStream {
  readonly #damaged: () => void;
  readonly #digits = new Uint8Array(DIGITS);
  /** Number of digits so far; -1 outside a frame. */
  #count = -1;
  /** Damage was reported, and no frame has begun since. */
  #isTold = false;

  /** `damaged`: a tag was cut off or has a wrong checksum, or other bytes arrived. */
  constructor(damaged: () => void = () => undefined) {
    this.#damaged = damaged;
  }

  /** The five bytes of each tag. */
  take(bytes: Uint8Array): readonly Uint8Array[] {
    const tags: Uint8Array[] = [];
    for (const byte of bytes) {
      if (byte === STX) this.#begin();
      else if (this.#count >= 0) this.#inside(byte, tags);
      else if (!isIgnored(byte)) this.#tellDamage();
    }
    // At a wrong baud rate no frame begins: later bytes are reported as damage again.
    if (this.#count < 0) this.#isTold = false;
    return tags;
  }

  #begin(): void {
    if (this.#count > 0) this.#damaged();
    this.#count = 0;
    this.#isTold = false;
  }

  #tellDamage(): void {
    if (!this.#isTold) this.#damaged();
    this.#isTold = true;
  }

  #inside(byte: number, tags: Uint8Array[]): void {
    const digit = digitOf(byte);
    if (digit >= 0 && this.#count < DIGITS) {
      this.#digits[this.#count++] = digit;
      return;
    }
    const isWhole = this.#count === DIGITS;
    if (isWhole && isIgnored(byte)) return;
    this.#count = -1;
    const tag = isWhole && byte === ETX ? this.#tag() : null;
    if (tag === null) this.#tellDamage();
    else tags.push(tag);
  }

  #tag(): Uint8Array | null {
    const tag = new Uint8Array(TAG_BYTES);
    let sum = this.#byte(TAG_BYTES);
    for (let index = 0; index < TAG_BYTES; index++) sum ^= tag[index] = this.#byte(index);
    return sum === 0 ? tag : null;
  }

  #byte(index: number): number {
    return (this.#digits[2 * index]! << 4) | this.#digits[2 * index + 1]!;
  }
}

/**
 * A tag has five bytes and a uid has four, seven or ten. `whole_tag`: all five bytes after two zeros.
 * `printed_number`: the last four, the ten digits printed on most tags; 256 tags then share a uid.
 */
export type Rdm6300UidFormat = 'whole_tag' | 'printed_number';

interface Rdm6300ReaderOptions {
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
