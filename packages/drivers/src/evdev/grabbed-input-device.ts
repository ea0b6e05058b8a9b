import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import { linuxSystemCalls } from '@lintel/service/linux/linux-device-system-calls';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PartHealth } from '../part-health/part-health.ts';
import { ReconnectingPart } from '../part-health/reconnecting-part.ts';
import { INPUT_EVENT_BYTES, type InputEvent, decodeInputEvents } from './input-event.ts';

export interface GrabbedInputDeviceOptions {
  /** A stable path, such as one under /dev/input/by-id ending in `-event-kbd`. */
  readonly path: string;
  readonly clock: MonotonicClock;
  readonly health: PartHealth;
  readonly calls?: DeviceSystemCalls | undefined;
  /** The device was opened: nothing of what came before counts. */
  onOpened(): void;
  onEvent(event: InputEvent): void;
}

interface Grabbed {
  readonly fd: number;
  unwatch: () => void;
}

const EVIOCGVERSION = 0x80044501;
const EVIOCGRAB = 0x40044590;
const EVENTS_AT_ONCE = 64;

/** A USB keyboard of the kernel, grabbed exclusively, so that PINs and cards are not typed into the console. */
export class GrabbedInputDevice {
  readonly #options: GrabbedInputDeviceOptions;
  readonly #calls: DeviceSystemCalls;
  readonly #device: ReconnectingPart<Grabbed>;
  readonly #buffer = Buffer.alloc(EVENTS_AT_ONCE * INPUT_EVENT_BYTES);

  constructor(options: GrabbedInputDeviceOptions) {
    this.#options = options;
    this.#calls = options.calls ?? linuxSystemCalls;
    this.#device = new ReconnectingPart<Grabbed>({
      clock: options.clock,
      health: options.health,
      open: () => this.#grab(),
      check: ({ fd }) => this.#calls.ioctl(fd, EVIOCGVERSION, Buffer.alloc(4)),
      close: device => this.#close(device),
      onOpened: device => {
        options.onOpened();
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
    for (const event of decodeInputEvents(this.#buffer.subarray(0, length))) this.#options.onEvent(event);
  }
}
