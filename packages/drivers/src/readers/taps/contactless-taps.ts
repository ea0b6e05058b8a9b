import type { Monotonic } from '@lintel/access-core/monotonic';
import { type CardUid, isRandomUid } from '@lintel/wire-protocol/rest/card';
import { CardReaderBase } from '../../base/card-reader-base.ts';
import type { ProvenKey } from '../../ports/card-reader.ts';
import type { Log } from '@lintel/service/log';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { SignalTrouble } from '../../ports/reader-signal.ts';
import type { PhoneCheck, Transmit } from '../phone/phone-check.ts';
import type { CardReadings } from '../signal/card-readings.ts';
import { TapGate } from './tap-gate.ts';
import { uidOfBytes } from './uid-of-bytes.ts';

export interface ContactlessTarget {
  readonly uid: Uint8Array;
  /** Null for a card that knows no APDUs and so is no phone. */
  readonly transmit: Transmit | null;
  /** When it was noticed, in the time of the reader; reading it may have taken a while. Now, unless told. */
  readonly noticed?: Monotonic | undefined;
}

export interface ContactlessTapsOptions {
  /** Passes only while the reader knows what lies there: what was not looked for is not away. */
  readonly time: Pick<MonotonicClock, 'now'>;
  /** Where it shows how well cards are read. */
  readonly visits: CardReadings;
  readonly log: Log;
  /** Null where phones are not asked for. */
  readonly phones: PhoneCheck | null;
  /** How long a card must be away before it is a new tap. */
  readonly goneAfterMs: number;
}

/** A phone may change its random uid with every look: whoever has one is the same visitor until nobody is there. */
const RANDOM = 'random';
const visitorOf = (uid: CardUid): string => (isRandomUid(uid) ? RANDOM : uid);

/** From cards and phones that a reader sees, as often as it likes, to taps. */
export class ContactlessTaps extends CardReaderBase {
  readonly #options: ContactlessTapsOptions;
  readonly #gate: TapGate;
  /** Failed to answer the first command when it was last seen. */
  #speechless: string | null = null;
  #phone: (key: ProvenKey) => void = () => undefined;

  constructor(options: ContactlessTapsOptions) {
    super();
    this.#options = options;
    this.#gate = new TapGate(options.goneAfterMs);
  }

  onPhone(listener: (key: ProvenKey) => void): void {
    this.#phone = listener;
  }

  /** Rejects when it left before it was read. The answer names the visitor for `left`. */
  async found({ uid: bytes, transmit, noticed }: ContactlessTarget): Promise<string> {
    const { time, log } = this.#options;
    const uid = uidOfBytes(bytes);
    const visitor = uid === null ? `unusable ${Buffer.from(bytes).toString('hex')}` : visitorOf(uid);
    if (!this.#gate.sees(visitor, noticed ?? time.now())) return visitor;
    if (uid === null) {
      log('warn', 'a card with a uid of unusual length was ignored', { bytes: bytes.length });
      return visitor;
    }
    const key = transmit === null ? null : await this.#proveOrForget(visitor, transmit);
    this.#gate.keep(visitor, time.now());
    this.#options.visits.read();
    if (key !== null) this.#phone(key);
    else this.#tellCard(uid);
    return visitor;
  }

  async #proveOrForget(visitor: string, transmit: Transmit): Promise<ProvenKey | null> {
    let hasAnswered = false;
    try {
      const proven = await this.#options.phones?.ask(async apdu => {
        const answer = await transmit(apdu);
        hasAnswered = true;
        return answer;
      });
      this.#speechless = null;
      return proven ?? null;
    } catch (error) {
      if (this.#isSpeechless(visitor, hasAnswered)) return null;
      this.#gate.forget(visitor);
      throw error;
    }
  }

  /**
   * A card that is there again and still says nothing to the first command is no phone, and its uid has been read. With a
   * random uid it would be nobody anyway: a phone at the edge of the field is asked until it answers.
   */
  #isSpeechless(visitor: string, hasAnswered: boolean): boolean {
    const wasSpeechless = this.#speechless === visitor;
    this.#speechless = hasAnswered || visitor === RANDOM ? null : visitor;
    return wasSpeechless && this.#speechless === visitor;
  }

  #tellCard(uid: CardUid): void {
    if (isRandomUid(uid)) this.#options.log('info', 'a card or phone with a random uid cannot be recognized');
    this.tapped(uid);
  }

  /** A card or phone was there, and reading it came to nothing. */
  notRead(trouble: SignalTrouble): void {
    this.#options.visits.brokeOff(trouble);
  }

  get time(): Pick<MonotonicClock, 'now'> {
    return this.#options.time;
  }

  /** It has been there up to now. */
  left(visitor: string): void {
    this.#gate.keep(visitor, this.#options.time.now());
  }
}
