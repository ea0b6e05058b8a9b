import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { CardReaderBase } from '../base/card-reader-base.ts';
import { GrabbedInputDevice, type GrabbedInputDeviceOptions } from '../evdev/grabbed-input-device.ts';
import type { InputEvent } from '../evdev/input-event.ts';
import { InputEventTextDecoder } from '../evdev/typed-text.ts';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import { CardReadingCounter } from '../taps/card-reading-counter.ts';
import { cardUidFromBytes, TapFilter } from '../taps/tap-filter.ts';
import type { UidByteOrder } from '../wiegand/frame.ts';

/**
 * `decimal`: the number of up to ten bytes; ten digits are the number printed on most 125 kHz tags. `hexadecimal`: the
 * bytes. `facility_and_card`: three digits of the facility and five of the card, as in Wiegand with 26 bits.
 */
export type WedgeNumberFormat = 'decimal' | 'hexadecimal' | 'facility_and_card';

const UID_BYTES: readonly number[] = [4, 7, 10];

const hexOf: Readonly<Record<WedgeNumberFormat, (text: string) => string | null>> = {
  decimal: text => (/^\d{5,20}$/.test(text) ? BigInt(text).toString(16) : null),
  hexadecimal: text => (/^(?:[\da-f]{2}){4,10}$/.test(text) ? text : null),
  facility_and_card: text => {
    const [facility, card] = [Number(text.slice(0, 3)), Number(text.slice(3))];
    if (!/^\d{8}$/.test(text) || facility > 0xff || card > 0xffff) return null;
    return (facility * 0x10000 + card).toString(16);
  },
};

/** With leading zeros, 4, 7 or 10 bytes. Null if the text is not such a number. */
export const decodeWedgeUid = (text: string, number: WedgeNumberFormat, order: UidByteOrder): CardUid | null => {
  const hex = hexOf[number](text);
  if (hex === null) return null;
  const length = UID_BYTES.find(size => size * 2 >= hex.length);
  if (length === undefined) return null;
  // The bytes that the reader read, without the zeros that fill up the uid.
  const read = number === 'hexadecimal' ? hex : hex.padStart(8, '0').padStart(Math.ceil(hex.length / 2) * 2, '0');
  const bytes = Buffer.from(read, 'hex');
  const ordered = order === 'reversed' ? bytes.reverse() : bytes;
  return cardUidFromBytes(Buffer.concat([Buffer.alloc(length - bytes.length), ordered]));
};

interface KeyboardWedgeReaderOptions extends Pick<GrabbedInputDeviceOptions, 'path' | 'clock' | 'calls'> {
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
