import { CardReaderBase } from '../../base/card-reader-base.ts';
import { GrabbedInputDevice, type GrabbedInputDeviceOptions } from '../../evdev/grabbed-input-device.ts';
import type { InputEvent } from '../../evdev/input-event.ts';
import type { ReaderSignalQuality } from '../../interfaces/reader-signal-quality.ts';
import { InputEventTextDecoder } from '../../typed-text/input-event-text-decoder.ts';
import { CardReadingCounter } from '../signal/card-reading-counter.ts';
import { TapFilter } from '../taps/tap-filter.ts';
import type { UidByteOrder } from '../wiegand/wiegand-frame.ts';
import { decodeWedgeUid, type WedgeNumberFormat } from './wedge-uid.ts';

export interface KeyboardWedgeReaderOptions extends Pick<GrabbedInputDeviceOptions, 'path' | 'clock' | 'calls'> {
  readonly number: WedgeNumberFormat;
  readonly uid_order: UidByteOrder;
}

/** Some readers repeat a present card: after this much silence it was removed. */
const GONE_AFTER_MS = 500;
const LONGEST_NUMBER = 20;

/** A USB card reader that acts as a keyboard. It only sends, so a card that stays on it is not noticed. */
export class KeyboardWedgeReader extends CardReaderBase {
  readonly #options: KeyboardWedgeReaderOptions;
  readonly #filter = new TapFilter(GONE_AFTER_MS);
  readonly #signal: CardReadingCounter;
  readonly #device: GrabbedInputDevice;
  readonly #typed = new InputEventTextDecoder({
    longestText: LONGEST_NUMBER,
    isAllowed: character => /^[0-9a-f]$/.test(character),
    usesShift: false,
  });

  constructor(options: KeyboardWedgeReaderOptions) {
    super();
    this.#options = options;
    const { path, clock, calls } = options;
    this.#signal = new CardReadingCounter(clock);
    this.#device = new GrabbedInputDevice({
      path,
      clock,
      calls,
      health: this.health,
      onOpened: () => {
        this.#typed.reset();
        this.#filter.start(clock.now());
      },
      onEvent: event => this.#take(event),
    });
  }

  signal(): ReaderSignalQuality {
    return { link: 'usb', line: this.#signal.readings(), cards: null };
  }

  close(): void {
    this.#device.close();
  }

  #take(event: InputEvent): void {
    const { clock, number, uid_order } = this.#options;
    const now = clock.now();
    const { text, hasDropped } = this.#typed.take(event, now);
    const uid = text === null ? null : decodeWedgeUid(text, number, uid_order);
    if (hasDropped || (text !== null && uid === null)) this.#signal.recordError('damaged');
    if (uid === null) return;
    this.#signal.recordSuccess();
    if (this.#filter.isNewTap(uid, now)) this.tapped(uid);
  }
}
