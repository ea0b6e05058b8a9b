import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { SerialLine } from '../../serial-line/serial-line-port.ts';
import { TypedText } from '../../typed-text/typed-text.ts';
import { isQrTextCharacter, LONGEST_QR_TEXT, QrReaderBase } from './qr-reader-base.ts';

export interface SerialQrReaderOptions {
  readonly line: SerialLine;
  readonly clock: Pick<MonotonicClock, 'now'>;
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
const LONGEST_GAP_MS = 500;

/** A QR reader that sends the text of a code and then a carriage return, a line feed, or both. */
export class SerialQrReader extends QrReaderBase {
  readonly #line: SerialLine;
  readonly #text = new TypedText({ longestText: LONGEST_QR_TEXT, longestGapMs: LONGEST_GAP_MS });

  constructor({ line, clock }: SerialQrReaderOptions) {
    super(clock, 'serial');
    this.#line = line;
    line.onOpen(() => {
      this.#text.reset();
      this.opened();
    });
    line.onBytes(bytes => {
      for (const byte of bytes) this.#take(byte);
    });
    line.onFault(this.health.follow);
  }

  #take(byte: number): void {
    const now = this.clock.now();
    if (byte === CARRIAGE_RETURN || byte === LINE_FEED) return this.handleText(this.#text.end(now));
    const character = String.fromCharCode(byte);
    this.handleText(this.#text.add(isQrTextCharacter(character) ? character : undefined, now));
  }

  close(): Promise<void> {
    return this.#line.close();
  }
}
