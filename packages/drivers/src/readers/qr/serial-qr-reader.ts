import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { RegexParser } from 'serialport';
import type { SerialLine } from '../../serial-line/serial-line-interface.ts';
import { isQrTextCharacter, MAX_QR_TEXT_LENGTH, QrReaderBase } from './qr-reader-base.ts';

export interface SerialQrReaderOptions {
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
