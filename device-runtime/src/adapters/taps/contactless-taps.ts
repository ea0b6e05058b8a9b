import { type CardUid, isRandomUid } from '@lintel/wire-protocol/rest/card';
import type { CardReader, ProvenKey } from '../../ports/card-reader.ts';
import type { Log } from '../../ports/log.ts';
import type { MonotonicClock } from '../../ports/monotonic-clock.ts';
import type { PhoneCheck, Transmit } from '../phone/phone-check.ts';
import { TapGate } from './tap-gate.ts';
import { uidOfBytes } from './uid-of-bytes.ts';

export interface ContactlessTarget {
  readonly uid: Uint8Array;
  /** Null for a card that knows no APDUs and so is no phone. */
  readonly transmit: Transmit | null;
}

export interface ContactlessTapsOptions {
  readonly clock: Pick<MonotonicClock, 'now'>;
  readonly log: Log;
  /** Null where phones are not asked for. */
  readonly phones: PhoneCheck | null;
  /** How long a card must be away before it is a new tap. */
  readonly goneAfterMs: number;
}

/** A phone may change its random uid with every look: whoever has one is the same visitor until nobody is there. */
const visitorOf = (uid: CardUid): string => (isRandomUid(uid) ? 'random' : uid);

/** From cards and phones that a reader sees, as often as it likes, to taps. */
export class ContactlessTaps implements Pick<CardReader, 'onCard' | 'onPhone'> {
  readonly #options: ContactlessTapsOptions;
  readonly #gate: TapGate;
  #card: (uid: CardUid) => void = () => undefined;
  #phone: (key: ProvenKey) => void = () => undefined;

  constructor(options: ContactlessTapsOptions) {
    this.#options = options;
    this.#gate = new TapGate(options.goneAfterMs);
  }

  onCard(listener: (uid: CardUid) => void): void {
    this.#card = listener;
  }

  onPhone(listener: (key: ProvenKey) => void): void {
    this.#phone = listener;
  }

  /** Rejects when it left before it was read. The answer names the visitor for `left`, null when it has no usable uid. */
  async found({ uid: bytes, transmit }: ContactlessTarget): Promise<string | null> {
    const { clock, log, phones } = this.#options;
    const uid = uidOfBytes(bytes);
    if (uid === null) {
      log('warn', 'a card with a uid of unusual length was ignored', { bytes: bytes.length });
      return null;
    }
    const visitor = visitorOf(uid);
    if (!this.#gate.sees(visitor, clock.now())) return visitor;
    const key = transmit === null ? null : await this.#proveOrForget(visitor, phones, transmit);
    this.#gate.keep(visitor, clock.now());
    if (key !== null) this.#phone(key);
    else this.#tellCard(uid);
    return visitor;
  }

  async #proveOrForget(visitor: string, phones: PhoneCheck | null, transmit: Transmit): Promise<ProvenKey | null> {
    try {
      return (await phones?.ask(transmit)) ?? null;
    } catch (error) {
      this.#gate.forget(visitor);
      throw error;
    }
  }

  #tellCard(uid: CardUid): void {
    if (isRandomUid(uid)) this.#options.log('info', 'a card or phone with a random uid cannot be recognized');
    this.#card(uid);
  }

  /** It has been there up to now. */
  left(visitor: string): void {
    this.#gate.keep(visitor, this.#options.clock.now());
  }
}
