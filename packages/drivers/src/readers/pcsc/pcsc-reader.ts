import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ReaderSignalQuality } from '../../interfaces/reader-signal-quality.ts';
import type { PcscReaderUsbPortAndSerial } from './pcsc-reader-usb-identity.ts';
import { CardReadAttempts } from '../signal/card-read-attempts.ts';
import { ContactlessCardReaderBase, type ContactlessCardReaderOptions } from '../taps/contactless-card-reader-base.ts';
import { PausableClock } from '../taps/pausable-clock.ts';

/** Which reader a reader unit uses. Without any field: every reader that no other unit has chosen. */
export interface PcscReaderChoice {
  /** Part of the name of the reader. */
  readonly model?: string | undefined;
  readonly usb_path?: string | undefined;
  readonly serial?: string | undefined;
  /** A technician has to assign the reader first. It is no reader until then. */
  readonly isUnassigned?: boolean;
}

export const isAnyPcscReaderAllowed = ({ model, usb_path, serial, isUnassigned }: PcscReaderChoice): boolean =>
  model === undefined && usb_path === undefined && serial === undefined && isUnassigned !== true;

export const needsPcscReaderUsbIdentity = ({ usb_path, serial }: PcscReaderChoice): boolean =>
  usb_path !== undefined || serial !== undefined;

export const isChosenPcscReader = (
  choice: PcscReaderChoice,
  name: string,
  place: PcscReaderUsbPortAndSerial | null,
): boolean =>
  choice.isUnassigned !== true &&
  (choice.model === undefined || name.toLowerCase().includes(choice.model.toLowerCase())) &&
  (choice.usb_path === undefined || choice.usb_path === place?.usb_path) &&
  (choice.serial === undefined || choice.serial === place?.serial);

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
