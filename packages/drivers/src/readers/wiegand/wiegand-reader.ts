import { monotonic } from '@lintel/access-core/monotonic';
import type { CardUid } from '@lintel/wire-protocol/rest/card';
import { KeypadBase } from '../../base/keypad-base.ts';
import type { CardReader } from '../../ports/card-reader.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { ReaderSignal } from '../../ports/reader-signal.ts';
import type { ChipLabels } from '../../gpio/gpio-chip.ts';
import { LineRequest } from '../../gpio/line-request.ts';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { linuxCalls } from '@lintel/service/linux/linux-calls';
import { ReconnectingPart } from '../../part-health/reconnecting-part.ts';
import { SignalRecord } from '../signal/signal-record.ts';
import { TapGate } from '../taps/tap-gate.ts';
import { FRAME_GAP_MS, noPulses, takePulse, takeSilence, type WiegandState, type WiegandStep } from './wiegand-bits.ts';
import {
  type Bit,
  type KeyBurst,
  type UidOrder,
  type WiegandFormat,
  wiegandCard,
  wiegandKey,
} from './wiegand-frame.ts';

export interface WiegandReaderOptions {
  readonly chip: ChipLabels;
  /** The lines D0 and D1. They rest high, and each bit is a short low. */
  readonly d0: number;
  readonly d1: number;
  readonly clock: MonotonicClock;
  readonly formats?: readonly WiegandFormat[];
  /** Null for a reader without keys. */
  readonly keys?: KeyBurst | null;
  readonly uid_order?: UidOrder;
  readonly consumer?: string;
  readonly calls?: DeviceCalls;
}

const EVENT_BUFFER = 512;
/** Some readers repeat a card for as long as it stays: after this much silence it was taken away. */
const TAKEN_AWAY_MS = 400;
const everyFormat: readonly WiegandFormat[] = [26, 34, 37];

/** A reader on two lines, with or without a keypad. Wiegand has no answer: that its cable is cut shows nowhere. */
export class WiegandReader extends KeypadBase implements CardReader {
  readonly #options: WiegandReaderOptions;
  readonly #taps = new TapGate(TAKEN_AWAY_MS);
  readonly #lines: ReconnectingPart<LineRequest>;
  readonly #signal: SignalRecord;
  #state: WiegandState = noPulses;
  #cancel: () => void = () => undefined;
  #card: (uid: CardUid) => void = () => undefined;

  constructor(options: WiegandReaderOptions) {
    super();
    this.#options = options;
    const { calls = linuxCalls, chip, clock, consumer = 'lintel', d0, d1 } = options;
    this.#signal = new SignalRecord(clock);
    this.#lines = new ReconnectingPart<LineRequest>({
      clock,
      health: this.health,
      open: () =>
        // In one request, so that the kernel keeps the order of the two.
        new LineRequest(calls, chip, {
          offsets: [d0, d1],
          flags: ['input', 'falling', 'pull_up'],
          consumer,
          event_buffer: EVENT_BUFFER,
        }),
      look: request => void request.values(),
      close: request => request.close(),
      opened: request => {
        this.#state = noPulses;
        request.watch(() => this.#guarded(() => this.#take(request)));
      },
      lost: () => this.#cancel(),
    });
    this.#lines.start();
  }

  onCard(listener: (uid: CardUid) => void): void {
    this.#card = listener;
  }

  signal(): ReaderSignal {
    return { link: 'wiegand', line: this.#signal.readings(), cards: null };
  }

  close(): void {
    this.#cancel();
    this.#lines.stop();
  }

  /** True when there was something. */
  #take(request: LineRequest): boolean {
    const events = request.events();
    for (const { at_ms, offset, sequence } of events)
      this.#step(takePulse(this.#state, { bit: offset === this.#options.d1 ? 1 : 0, at_ms, sequence }));
    if (events.length > 0) this.#waitForSilence(request);
    return events.length > 0;
  }

  #waitForSilence(request: LineRequest): void {
    const { clock } = this.#options;
    this.#cancel();
    this.#cancel = clock.wake(monotonic(this.#state.at_ms + FRAME_GAP_MS), () =>
      this.#guarded(() => {
        // A process that was busy has not seen all: half a card would be a key.
        if (!this.#take(request)) this.#step(takeSilence(this.#state, clock.now()));
      }),
    );
  }

  #step({ state, frame, hasDropped }: WiegandStep): void {
    const { at_ms } = this.#state;
    this.#state = state;
    if (hasDropped) this.#signal.broken('damaged');
    if (frame !== null) this.#tell(frame, at_ms);
  }

  #tell(frame: readonly Bit[], at_ms: number): void {
    const { formats = everyFormat, keys = null, uid_order } = this.#options;
    const key = keys === null ? null : wiegandKey(frame, keys);
    if (key !== null) this.press(key);
    const uid = formats.some(length => length === frame.length) ? wiegandCard(frame, uid_order) : null;
    if (key === null && uid === null) this.#signal.broken('damaged');
    else this.#signal.clean();
    if (uid !== null && this.#taps.sees(uid, monotonic(at_ms))) this.#card(uid);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#lines.failed(error as Error);
    }
  }
}
