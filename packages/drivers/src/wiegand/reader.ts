import type { KeypadKey } from '@lintel/access-core/key-entry-types';
import { monotonic } from '@lintel/access-core/monotonic-time';
import type { WiegandLayout } from './formats.ts';
import type { CardUid } from '@lintel/wire-protocol/rest/card-uid';
import { KeypadBase } from '../base/keypad-base.ts';
import type { CardReader } from '../interfaces/card-reader.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { ReaderSignalQuality } from '../interfaces/reader-signal-quality.ts';
import { type GpioChipLabels, GpioLineRequest } from '../gpio/line-request.ts';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';
import { CardReadingCounter } from '../taps/card-reading-counter.ts';
import { TapFilter } from '../taps/tap-filter.ts';
import {
  WIEGAND_FRAME_GAP_MS,
  initialWiegandState,
  addWiegandPulse,
  endWiegandFrame,
  type WiegandState,
  type WiegandStep,
  type WiegandBit,
  type WiegandKeyFormat,
  type UidByteOrder,
  type WiegandPinFormat,
  decodeWiegandCard,
  decodeWiegandKey,
  decodeWiegandPin,
} from './frame.ts';

export interface WiegandReaderOptions {
  readonly chip: GpioChipLabels;
  /** The lines D0 and D1. They idle high, and each bit is a short low pulse. */
  readonly d0: number;
  readonly d1: number;
  readonly clock: MonotonicClock;
  readonly formats: readonly WiegandLayout[];
  /** Null for a reader without keys. */
  readonly keys?: WiegandKeyFormat | null;
  /** For a keypad that sends whole PINs. */
  readonly pins?: WiegandPinFormat | null;
  readonly uid_order?: UidByteOrder;
  readonly calls?: DeviceSystemCalls;
}

const EVENT_BUFFER = 512;
/** Some readers repeat a present card: after this much silence it was removed. */
const TAKEN_AWAY_MS = 400;

/** A reader on two lines, with or without a keypad. Wiegand is one-way, so a cut cable cannot be detected. */
export class WiegandReader extends KeypadBase implements CardReader {
  readonly #options: WiegandReaderOptions;
  readonly #taps = new TapFilter(TAKEN_AWAY_MS);
  readonly #lines: ReconnectingPart<GpioLineRequest>;
  readonly #signal: CardReadingCounter;
  #state: WiegandState = initialWiegandState;
  #cancel: () => void = () => undefined;
  #card: (uid: CardUid) => void = () => undefined;

  constructor(options: WiegandReaderOptions) {
    super();
    this.#options = options;
    const { calls = linuxSystemCalls, chip, clock, d0, d1 } = options;
    this.#signal = new CardReadingCounter(clock);
    this.#lines = new ReconnectingPart<GpioLineRequest>({
      clock,
      health: this.health,
      open: () =>
        // In one request, so that the kernel keeps the order of their edges.
        new GpioLineRequest(calls, chip, {
          offsets: [d0, d1],
          flags: ['input', 'falling', 'pull_up'],
          event_buffer: EVENT_BUFFER,
        }),
      check: request => void request.values(),
      close: request => request.close(),
      onOpened: request => {
        this.#state = initialWiegandState;
        this.#taps.start(clock.now());
        request.watch(() => this.#guarded(() => this.#take(request)));
      },
      onLost: () => this.#cancel(),
    });
    this.#lines.start();
  }

  onCard(listener: (uid: CardUid) => void): void {
    this.#card = listener;
  }

  signal(): ReaderSignalQuality {
    return { link: 'wiegand', line: this.#signal.readings(), cards: null };
  }

  close(): void {
    this.#cancel();
    this.#lines.stop();
  }

  /** True if there were edges. */
  #take(request: GpioLineRequest): boolean {
    const events = request.events();
    for (const { at_ms, offset, sequence } of events)
      this.#step(addWiegandPulse(this.#state, { bit: offset === this.#options.d1 ? 1 : 0, at_ms, sequence }));
    if (events.length > 0) this.#waitForSilence(request);
    return events.length > 0;
  }

  #waitForSilence(request: GpioLineRequest): void {
    const { clock } = this.#options;
    this.#cancel();
    this.#cancel = clock.wake(monotonic(this.#state.at_ms + WIEGAND_FRAME_GAP_MS), () =>
      this.#guarded(() => {
        // The process was busy and lost edges: part of a card would look like a key.
        if (!this.#take(request)) this.#step(endWiegandFrame(this.#state, clock.now()));
      }),
    );
  }

  #step({ state, frame, hasDropped }: WiegandStep): void {
    const { at_ms } = this.#state;
    this.#state = state;
    if (hasDropped) this.#signal.recordError('damaged');
    if (frame !== null) this.#reportFrame(frame, at_ms);
  }

  #reportFrame(frame: readonly WiegandBit[], at_ms: number): void {
    const { formats, uid_order } = this.#options;
    const pressed = this.#keysIn(frame);
    const uid = pressed === null ? decodeWiegandCard(frame, formats, uid_order) : null;
    if (pressed === null && uid === null) this.#signal.recordError('damaged');
    else this.#signal.recordSuccess();
    for (const key of pressed ?? []) this.press(key);
    if (uid !== null && this.#taps.isNewTap(uid, monotonic(at_ms))) this.#card(uid);
  }

  /** Null if the frame is not from the keypad. */
  #keysIn(frame: readonly WiegandBit[]): readonly KeypadKey[] | null {
    const { keys = null, pins = null } = this.#options;
    if (pins !== null) return decodeWiegandPin(frame, pins);
    const key = keys === null ? null : decodeWiegandKey(frame, keys);
    return key === null ? null : [key];
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#lines.reportFailure(error as Error);
    }
  }
}
