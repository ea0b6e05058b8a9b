import type { KeypadKey } from '@lintel/access-core/key-entry-model';
import { KeypadBase } from '../../base/keypad-base.ts';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls';
import { linuxSystemCalls } from '@lintel/service/linux/linux-system-calls';
import { ReconnectingPart } from '../../part-health/reconnecting-part.ts';
import { INPUT_EVENT_BYTES, decodeInputEvents } from './input-event.ts';
import { type KeyCodeState, initialKeyCodeState, decodeKeyPress } from './key-codes.ts';

export interface UsbKeypadOptions {
  /** A stable path, such as one under /dev/input/by-id ending in `-event-kbd`. */
  readonly path: string;
  readonly clock: MonotonicClock;
  /** Additional keys by kernel key code, such as a doorbell key. */
  readonly keys?: ReadonlyMap<number, KeypadKey>;
  readonly calls?: DeviceSystemCalls;
}

interface Grabbed {
  readonly fd: number;
  unwatch: () => void;
}

const EVIOCGVERSION = 0x80044501;
const EVIOCGRAB = 0x40044590;
const EVENTS_AT_ONCE = 64;
const noMore: ReadonlyMap<number, KeypadKey> = new Map();

/** A keypad that acts as a USB keyboard. Grabbed exclusively, so that PINs are not typed into the console. */
export class UsbKeypad extends KeypadBase {
  readonly #options: UsbKeypadOptions;
  readonly #calls: DeviceSystemCalls;
  readonly #device: ReconnectingPart<Grabbed>;
  readonly #buffer = Buffer.alloc(EVENTS_AT_ONCE * INPUT_EVENT_BYTES);
  #state: KeyCodeState = initialKeyCodeState;

  constructor(options: UsbKeypadOptions) {
    super();
    this.#options = options;
    this.#calls = options.calls ?? linuxSystemCalls;
    this.#device = new ReconnectingPart<Grabbed>({
      clock: options.clock,
      health: this.health,
      open: () => this.#grab(),
      check: ({ fd }) => this.#calls.ioctl(fd, EVIOCGVERSION, Buffer.alloc(4)),
      close: device => this.#close(device),
      onOpened: device => {
        this.#state = initialKeyCodeState;
        device.unwatch = this.#calls.watch(device.fd, () => this.#take(device.fd));
      },
      onLost: () => undefined,
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
      // The descriptor is gone together with the device.
    }
  }

  #take(fd: number): void {
    let length: number;
    try {
      length = this.#calls.read(fd, this.#buffer);
    } catch (error) {
      return this.#device.reportFailure(error as Error);
    }
    for (const event of decodeInputEvents(this.#buffer.subarray(0, length))) {
      const { state, key } = decodeKeyPress(this.#state, event, this.#options.keys ?? noMore);
      this.#state = state;
      if (key !== null) this.press(key);
    }
  }
}
