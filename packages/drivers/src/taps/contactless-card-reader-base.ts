import { type MonotonicTime, monotonic } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { type CardUid, isRandomCardUid } from '@lintel/wire-protocol/rest/card-uid';
import { CardReaderBase } from '../base/card-reader-base.ts';
import type { ProvenPhoneKey } from '../interfaces/card-reader.ts';
import type { CardReadingErrorKind } from '../interfaces/reader-signal-quality.ts';
import type { CardReadAttempts } from './card-reading-counter.ts';
import type { NfcPhoneAuthenticator, TransmitApdu } from './nfc-phone.ts';
import { TapFilter, cardUidFromBytes } from './tap-filter.ts';

type Now = Pick<MonotonicClock, 'now'>;

/** Clock for a reader that reports changes: stops while the reader cannot report. */
export class PausableClock implements Now {
  readonly #clock: Now;
  #pausedAt: MonotonicTime | null = null;
  #missed_ms = 0;

  constructor(clock: Now) {
    this.#clock = clock;
  }

  now(): MonotonicTime {
    return monotonic((this.#pausedAt ?? this.#clock.now()) - this.#missed_ms);
  }

  pause(): void {
    this.#pausedAt ??= this.#clock.now();
  }

  resume(): void {
    if (this.#pausedAt === null) return;
    this.#missed_ms += this.#clock.now() - this.#pausedAt;
    this.#pausedAt = null;
  }
}

/** Clock for a polled reader: advances with the responses, and only by a limited step after a slow response. */
export class PollDrivenClock implements Pick<MonotonicClock, 'now'> {
  readonly #mostPerLookMs: number;
  #now: MonotonicTime = monotonic(0);
  #lastAnswer: MonotonicTime | null = null;

  constructor(mostPerLookMs: number) {
    this.#mostPerLookMs = mostPerLookMs;
  }

  now(): MonotonicTime {
    return this.#now;
  }

  /** A poll was answered, with or without a card. */
  answered(at: MonotonicTime): void {
    if (this.#lastAnswer !== null)
      this.#now = monotonic(this.#now + Math.min(at - this.#lastAnswer, this.#mostPerLookMs));
    this.#lastAnswer = at;
  }
}

interface DetectedCardOrPhone {
  readonly uid: Uint8Array;
  /** Null for a card without APDU support, which cannot be a phone. */
  readonly transmit: TransmitApdu | null;
  /** When it was detected, by the clock of the reader; reading it may have taken a while. Default: now. */
  readonly noticed?: MonotonicTime | undefined;
}

export interface ContactlessCardReaderOptions {
  /**
   * Advances only while the reader detects cards, so that a card is not considered removed while it could not be
   * detected.
   */
  readonly time: Pick<MonotonicClock, 'now'>;
  /** Set if the reader measures how well cards are read. */
  readonly visits: CardReadAttempts;
  readonly log: Log;
  /** Null if phones are not supported. */
  readonly phones: NfcPhoneAuthenticator | null;
  /** How long a card must be away to count as a new tap. */
  readonly goneAfterMs: number;
}

/**
 * A phone may change its random uid with each poll: all random uids count as the same card until the field is empty.
 */
const RANDOM = 'random';
const toCardKey = (bytes: Uint8Array): string => {
  const uid = cardUidFromBytes(bytes);
  if (uid === null) return `unusable ${Buffer.from(bytes).toString('hex')}`;
  return isRandomCardUid(uid) ? RANDOM : uid;
};

/** Turns repeated detections of cards and phones into taps. */
export class ContactlessCardReaderBase extends CardReaderBase {
  readonly #options: ContactlessCardReaderOptions;
  readonly #filter: TapFilter;
  /** Did not respond to the first command when last detected. */
  #unresponsive: string | null = null;
  #phone: (key: ProvenPhoneKey) => void = () => undefined;

  constructor(options: ContactlessCardReaderOptions) {
    super();
    this.#options = options;
    this.#filter = new TapFilter(options.goneAfterMs);
  }

  onPhone(listener: (key: ProvenPhoneKey) => void): void {
    this.#phone = listener;
  }

  /** A card that lay there before the reader started was not presented. It counts after it was away. */
  lay(bytes: Uint8Array): void {
    this.#filter.markPresent(toCardKey(bytes), this.#options.time.now());
  }

  /** Rejects if it left before it was read. Returns the key to pass to `left`. */
  async found({ uid: bytes, transmit, noticed }: DetectedCardOrPhone): Promise<string> {
    const { time, log } = this.#options;
    const uid = cardUidFromBytes(bytes);
    const cardKey = toCardKey(bytes);
    if (!this.#filter.isNewTap(cardKey, noticed ?? time.now())) return cardKey;
    if (uid === null) {
      log('warn', 'Ignored a card with an unsupported uid length', { bytes: bytes.length });
      return cardKey;
    }
    const key = transmit === null ? null : await this.#proveOrForget(cardKey, transmit);
    this.#filter.markPresent(cardKey, time.now());
    this.#options.visits.read();
    if (key !== null) this.#phone(key);
    else this.#tellCard(uid);
    return cardKey;
  }

  async #proveOrForget(cardKey: string, transmit: TransmitApdu): Promise<ProvenPhoneKey | null> {
    let hasResponded = false;
    try {
      const proven = await this.#options.phones?.authenticate(async apdu => {
        const answer = await transmit(apdu);
        hasResponded = true;
        return answer;
      });
      this.#unresponsive = null;
      return proven ?? null;
    } catch (error) {
      if (this.#isUnresponsive(cardKey, hasResponded)) return null;
      this.#filter.forget(cardKey);
      throw error;
    }
  }

  /**
   * A card that again does not respond to the first command is not a phone, and its uid was read. A random uid
   * identifies nobody, so such a phone is retried until it responds.
   */
  #isUnresponsive(cardKey: string, hasResponded: boolean): boolean {
    const wasUnresponsive = this.#unresponsive === cardKey;
    this.#unresponsive = hasResponded || cardKey === RANDOM ? null : cardKey;
    return wasUnresponsive && this.#unresponsive === cardKey;
  }

  #tellCard(uid: CardUid): void {
    if (isRandomCardUid(uid)) this.#options.log('info', 'A card or phone with a random uid cannot be identified');
    this.tapped(uid);
  }

  /** A card or phone was present but could not be read. */
  notRead(trouble: CardReadingErrorKind): void {
    this.#options.visits.brokeOff(trouble);
  }

  get time(): Pick<MonotonicClock, 'now'> {
    return this.#options.time;
  }

  /** The card is still present. */
  left(cardKey: string): void {
    this.#filter.markPresent(cardKey, this.#options.time.now());
  }
}
