import type { Key } from '@lintel/access-core/key-entry-model';
import { KeypadBase } from '../../base/keypad-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import { linuxCalls } from '@lintel/service/linux/linux-calls';
import { ReconnectingPart } from '../../part-health/reconnecting-part.ts';
import { INPUT_EVENT_BYTES, inputEvents } from './input-event.ts';
import { type KeyCodeState, noShift, takeInputEvent } from './key-codes.ts';

export interface UsbKeypadOptions {
  /** Stable, as under /dev/input/by-id with `-event-kbd` at its end. */
  readonly path: string;
  readonly clock: MonotonicClock;
  /** More keys by the kernel's code for them, such as a product's key for the bell. */
  readonly keys?: ReadonlyMap<number, Key>;
  readonly calls?: DeviceCalls;
}

interface Grabbed {
  readonly fd: number;
  unwatch: () => void;
}

const EVIOCGVERSION = 0x80044501;
const EVIOCGRAB = 0x40044590;
const EVENTS_AT_ONCE = 64;
const noMore: ReadonlyMap<number, Key> = new Map();

/** A keypad that calls itself a keyboard. Taken for us alone: PINs must not be typed into the console. */
export class UsbKeypad extends KeypadBase {
  readonly #options: UsbKeypadOptions;
  readonly #calls: DeviceCalls;
  readonly #device: ReconnectingPart<Grabbed>;
  readonly #buffer = Buffer.alloc(EVENTS_AT_ONCE * INPUT_EVENT_BYTES);
  #state: KeyCodeState = noShift;

  constructor(options: UsbKeypadOptions) {
    super();
    this.#options = options;
    this.#calls = options.calls ?? linuxCalls;
    this.#device = new ReconnectingPart<Grabbed>({
      clock: options.clock,
      health: this.health,
      open: () => this.#grab(),
      look: ({ fd }) => this.#calls.ioctl(fd, EVIOCGVERSION, Buffer.alloc(4)),
      close: device => this.#close(device),
      opened: device => {
        this.#state = noShift;
        device.unwatch = this.#calls.watch(device.fd, () => this.#take(device.fd));
      },
      lost: () => undefined,
    });
    this.#device.start();
  }

  close(): void {
    this.#device.stop();
  }

  #grab(): Grabbed {
    const fd = this.#calls.open(this.#options.path);
    try {
      this.#calls.ioctl(fd, EVIOCGRAB, 1);
      return { fd, unwatch: () => undefined };
    } catch (error) {
      this.#calls.close(fd);
      throw error;
    }
  }

  #close({ fd, unwatch }: Grabbed): void {
    unwatch();
    try {
      // The grab ends with the descriptor.
      this.#calls.close(fd);
    } catch {
      // It went with its plug.
    }
  }

  #take(fd: number): void {
    let length: number;
    try {
      length = this.#calls.read(fd, this.#buffer);
    } catch (error) {
      return this.#device.failed(error as Error);
    }
    for (const event of inputEvents(this.#buffer.subarray(0, length))) {
      const { state, key } = takeInputEvent(this.#state, event, this.#options.keys ?? noMore);
      this.#state = state;
      if (key !== null) this.press(key);
    }
  }
}
