import { type MagicLinkToken, parseMagicLinkQrText } from '@lintel/wire-protocol/guest/magic-link-url';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { CardReaderBase } from '../../base/card-reader-base.ts';
import type { ReaderSignalQuality } from '../../interfaces/reader-signal-quality.ts';
import type { TypedTextResult } from '../../typed-text/typed-text-collector.ts';
import { CardReadingCounter } from '../signal/card-reading-counter.ts';
import { TapFilter } from '../taps/tap-filter.ts';

/** Readers repeat a code that stays in view: after this much silence it was removed. */
const GONE_AFTER_MS = 1_000;

export const MAX_QR_TEXT_LENGTH = 400;

export const isQrTextCharacter = (character: string): boolean => /^[!-~]$/.test(character);

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
