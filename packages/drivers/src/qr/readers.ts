import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { type MagicLinkToken, parseMagicLinkQrText } from '@lintel/wire-protocol/guest/magic-link-url';
import { RegexParser } from 'serialport';
import { CardReaderBase } from '../base/card-reader-base.ts';
import { GrabbedInputDevice, type GrabbedInputDeviceOptions } from '../evdev/grabbed-input-device.ts';
import { type TypedTextResult, InputEventTextDecoder } from '../evdev/typed-text.ts';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import type { SerialLine } from '../serial-line/serial-line-interface.ts';
import { CardReadingCounter } from '../taps/card-reading-counter.ts';
import { TapFilter } from '../taps/tap-filter.ts';

/** Readers repeat a code that stays in view: after this much silence it was removed. */
const GONE_AFTER_MS = 1_000;

const MAX_QR_TEXT_LENGTH = 400;

const isQrTextCharacter = (character: string): boolean => /^[!-~]$/.test(character);

/** Reports magic links and never logs a text, because it may be a secret. Ignores all other codes. */
export abstract class QrReaderBase extends CardReaderBase {
  protected readonly clock: Pick<MonotonicClock, 'now'>;
  readonly #filter = new TapFilter(GONE_AFTER_MS);
  readonly #signal: CardReadingCounter;
  readonly #link: ReaderSignalQuality['link'];
  #magicLink: (token: MagicLinkToken) => void = () => undefined;

  constructor(clock: Pick<MonotonicClock, 'now'>, link: ReaderSignalQuality['link']) {
    super();
    this.clock = clock;
    this.#link = link;
    this.#signal = new CardReadingCounter(clock);
  }

  onMagicLink(listener: (token: MagicLinkToken) => void): void {
    this.#magicLink = listener;
  }

  /** The reader does not report failed readings, so only the line is measured. */
  signal(): ReaderSignalQuality {
    return { link: this.#link, line: this.#signal.readings(), cards: null };
  }

  protected opened(): void {
    this.#filter.start(this.clock.now());
  }

  protected handleText({ text, hasDropped }: TypedTextResult): void {
    if (hasDropped) this.#signal.recordError('damaged');
    if (text === null) return;
    this.#signal.recordSuccess();
    const token = parseMagicLinkQrText(text);
    if (token !== null && this.#filter.isNewTap(token, this.clock.now())) this.#magicLink(token);
  }
}

interface SerialQrReaderOptions {
  readonly line: SerialLine;
  readonly clock: Pick<MonotonicClock, 'now'>;
}

const LONGEST_GAP_MS = 500;

const isQrText = (text: string): boolean =>
  text.length <= MAX_QR_TEXT_LENGTH && Array.from(text).every(isQrTextCharacter);

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** A QR reader that sends the text of a code and then a carriage return, a line feed, or both. */
export class SerialQrReader extends QrReaderBase {
  readonly #line: SerialLine;
  #parser = this.#createParser();
  /** As many as the parser keeps, which itself has no limit. */
  #unfinishedBytes = 0;
  #receivedAt: MonotonicTime | null = null;
  /** The beginning of the text was dropped because it was too long. */
  #isBeginningLost = false;

  constructor({ line, clock }: SerialQrReaderOptions) {
    super(clock, 'serial');
    this.#line = line;
    line.onOpen(() => {
      this.#dropUnfinished();
      this.opened();
    });
    line.onBytes(bytes => this.#receive(bytes));
    line.onFault(this.health.follow);
  }

  #createParser(): RegexParser {
    // In object mode it also passes on empty lines, with which a text ends whose beginning was dropped.
    const parser = new RegexParser({ regex: /[\r\n]+/, readableObjectMode: true });
    return parser.on('data', (text: string) => this.#takeLine(text));
  }

  #dropUnfinished(): void {
    this.#parser = this.#createParser();
    this.#unfinishedBytes = 0;
    this.#isBeginningLost = false;
  }

  #receive(bytes: Uint8Array): void {
    const now = this.clock.now();
    const hasGap = this.#receivedAt !== null && now - this.#receivedAt > LONGEST_GAP_MS;
    this.#receivedAt = now;
    // An unfinished text must not become the beginning of another one.
    if (hasGap && (this.#unfinishedBytes > 0 || this.#isBeginningLost)) {
      this.#dropUnfinished();
      this.handleText({ text: null, hasDropped: true });
    }
    this.#parser.write(Buffer.from(bytes));
    const end = Math.max(bytes.lastIndexOf(LINE_FEED), bytes.lastIndexOf(CARRIAGE_RETURN));
    this.#unfinishedBytes = end === -1 ? this.#unfinishedBytes + bytes.length : bytes.length - 1 - end;
    if (this.#unfinishedBytes <= MAX_QR_TEXT_LENGTH) return;
    this.#dropUnfinished();
    this.#isBeginningLost = true;
  }

  #takeLine(text: string): void {
    if (text === '' && !this.#isBeginningLost) return;
    const isComplete = !this.#isBeginningLost && isQrText(text);
    this.#isBeginningLost = false;
    this.handleText({ text: isComplete ? text : null, hasDropped: !isComplete });
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}

type KeyboardQrReaderOptions = Pick<GrabbedInputDeviceOptions, 'path' | 'clock' | 'calls'>;

/** A USB QR reader that types the text of a code on a US keyboard, and then Enter. */
export class KeyboardQrReader extends QrReaderBase {
  readonly #typed = new InputEventTextDecoder({
    longestText: MAX_QR_TEXT_LENGTH,
    isAllowed: isQrTextCharacter,
    usesShift: true,
  });
  readonly #device: GrabbedInputDevice;

  constructor({ path, clock, calls }: KeyboardQrReaderOptions) {
    super(clock, 'usb');
    this.#device = new GrabbedInputDevice({
      path,
      clock,
      calls,
      health: this.health,
      onOpened: () => {
        this.#typed.reset();
        this.opened();
      },
      onEvent: event => this.handleText(this.#typed.take(event, clock.now())),
    });
  }

  close(): void {
    this.#device.close();
  }
}
