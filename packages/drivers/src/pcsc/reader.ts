import { addMilliseconds, type MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { Log } from '@lintel/service/log-function-type';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PartFault } from '../interfaces/part-fault.ts';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import { CardReadAttempts } from '../taps/card-reading-counter.ts';
import {
  ContactlessCardReaderBase,
  type ContactlessCardReaderOptions,
  PausableClock,
} from '../taps/contactless-card-reader-base.ts';
import {
  PcscTimeoutError,
  type PcscReaderChoice,
  type PcscReaderUsbPortAndSerial,
  ACR122U_BUZZER_OFF_COMMAND,
  isPcscStorageCard,
  readPcscCardUid,
  type PcscCard,
} from './session.ts';

const SERVICE_AWAY = 'The PC/SC service (pcscd) does not respond';
const LONGEST_REASON = 160;

/**
 * The binding reports service errors by codes such as `NoService`; other errors come from the binding or the process.
 */
export const isPcscServiceError = (error: Error): boolean => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[A-Z][a-z]/.test(code);
};

const CARD_TROUBLES: readonly unknown[] = [
  'NoCard',
  'CommunicationError',
  'NotTransacted',
  'UnresponsiveCard',
  'UnpoweredCard',
  'ResetCard',
  'RemovedCard',
];

/** The card did not respond or left too early; neither the service nor another program is at fault. */
const isPcscCardError = (error: unknown): boolean => CARD_TROUBLES.includes((error as { code?: unknown }).code);

export const toPcscFault = (error: Error): PartFault => {
  if (error instanceof PcscTimeoutError) return { kind: 'broken', message: SERVICE_AWAY };
  if (isPcscServiceError(error)) return { kind: 'absent', message: SERVICE_AWAY };
  const reason = error.message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_REASON);
  return { kind: 'absent', message: `PC/SC cannot be used: ${reason}` };
};

export const createMissingPcscReaderFault = ({
  model,
  usb_path,
  serial,
  isUnassigned,
}: PcscReaderChoice): PartFault => {
  if (isUnassigned === true)
    return { kind: 'absent', message: 'no reader is assigned: assign it on the tests page of the controller' };
  const name = model === undefined ? 'no reader' : `no reader "${model}"`;
  const number = serial === undefined ? '' : ` with the serial number ${serial}`;
  const port = usb_path === undefined ? '' : ` at USB port ${usb_path}`;
  return { kind: 'absent', message: `${name}${number} is plugged in${port}` };
};

/** The card reader of a reader unit, served by the plugged-in PC/SC readers. */
export class PcscReader extends ContactlessCardReaderBase {
  readonly #choice: () => PcscReaderChoice;
  readonly #time: PausableClock;
  readonly #visits: CardReadAttempts;

  constructor(
    choice: () => PcscReaderChoice,
    options: Omit<ContactlessCardReaderOptions, 'time' | 'visits'>,
    clock: MonotonicClock,
  ) {
    const time = new PausableClock(clock);
    const visits = new CardReadAttempts(clock);
    super({ ...options, time, visits });
    this.#visits = visits;
    this.#choice = choice;
    this.#time = time;
  }

  get choice(): PcscReaderChoice {
    return this.#choice();
  }

  /** The service does not report the quality of the USB link. */
  signal(): ReaderSignalQuality {
    return { link: 'usb', line: null, cards: this.#visits.readings() };
  }

  /** The state of an absent reader is unknown: a card present before and after was not removed. */
  seesNothing(): void {
    this.#time.pause();
  }

  sees(): void {
    this.#time.resume();
  }
}

const ATTEMPTS = 3;
const AGAIN_MS = 100;
/** No card takes this long: the reader or the service hangs. */
const HANGS_MS = 1_500;

export interface PluggedPcscReaderOptions {
  readonly name: string;
  readonly connect: () => Promise<PcscCard>;
  /** Null while no reader unit uses this reader. */
  readonly taps: () => ContactlessCardReaderBase | null;
  readonly clock: MonotonicClock;
  readonly log: Log;
  readonly healthChanged: () => void;
}

/** One plugged-in reader and the card on it. */
export class PluggedPcscReader {
  readonly #parts: PluggedPcscReaderOptions;
  /** Null while unknown. */
  place: PcscReaderUsbPortAndSerial | null = null;
  /** Null until the first report. */
  #hasCard: boolean | null = null;
  /** Number of cards so far, to detect that the card was replaced while it was read. */
  #arrivals = 0;
  #noticed: MonotonicTime | undefined;
  #isReading = false;
  #hangs = false;
  #isSilenced = false;
  #cardKey: string | null = null;

  constructor(parts: PluggedPcscReaderOptions) {
    this.#parts = parts;
    this.#isSilenced = !parts.name.includes('ACR122');
  }

  get hangs(): boolean {
    return this.#hangs;
  }

  changed(hasCard: boolean): void {
    // A card that lay there before the reader was seen was not presented.
    const came = hasCard && this.#hasCard === false;
    if (this.#hasCard === true && this.#cardKey !== null) this.#parts.taps()?.left(this.#cardKey);
    this.#hasCard = hasCard;
    if (!hasCard) this.#cardKey = null;
    if (!came) return;
    this.#arrivals++;
    this.#noticed = this.#parts.taps()?.time.now();
    void this.#readAll();
  }

  /** Reads cards one at a time, however fast they come and go. */
  async #readAll(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    let read = -1;
    while (this.#hasCard === true && read !== this.#arrivals) {
      read = this.#arrivals;
      await this.#watched(() => this.#readOne(read));
    }
    this.#isReading = false;
  }

  async #watched(work: () => Promise<void>): Promise<void> {
    const { clock, healthChanged } = this.#parts;
    const set = (hangs: boolean): void => {
      if (this.#hangs === hangs) return;
      this.#hangs = hangs;
      healthChanged();
    };
    const cancel = clock.wake(addMilliseconds(clock.now(), HANGS_MS), () => set(true));
    await work();
    cancel();
    set(false);
  }

  async #readOne(arrival: number): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        return await this.#attempt(arrival);
      } catch (error) {
        if (isPcscCardError(error)) this.#parts.taps()?.notRead('lost');
        if (this.#hasCard !== true || this.#arrivals !== arrival) return;
        if (attempt === ATTEMPTS)
          this.#parts.log('warn', 'Failed to read a card', { reader: this.#parts.name, reason: String(error) });
        else await this.#pause();
      }
    }
  }

  async #attempt(arrival: number): Promise<void> {
    const card = await this.#parts.connect();
    try {
      await this.#silence(card);
      await this.#present(card, arrival);
    } finally {
      await card.release().catch(() => undefined);
    }
  }

  async #silence(card: PcscCard): Promise<void> {
    if (this.#isSilenced) return;
    await card.transmit(ACR122U_BUZZER_OFF_COMMAND);
    this.#isSilenced = true;
  }

  async #present(card: PcscCard, arrival: number): Promise<void> {
    const noticed = this.#noticed;
    const transmit = (apdu: Uint8Array): Promise<Uint8Array> => card.transmit(apdu);
    const uid = await readPcscCardUid(transmit);
    if (uid === null) {
      this.#parts.taps()?.notRead('unreadable');
      return this.#parts.log('warn', 'Ignored a card without a uid', { reader: this.#parts.name });
    }
    const found = { uid, transmit: isPcscStorageCard(await card.atr()) ? null : transmit, noticed };
    const cardKey = (await this.#parts.taps()?.found(found)) ?? null;
    if (this.#hasCard === true && this.#arrivals === arrival) this.#cardKey = cardKey;
    else if (cardKey !== null) this.#parts.taps()?.left(cardKey);
  }

  #pause(): Promise<void> {
    const { clock } = this.#parts;
    return new Promise(resolve => clock.wake(addMilliseconds(clock.now(), AGAIN_MS), resolve));
  }
}
