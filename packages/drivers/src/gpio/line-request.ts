import type { DeviceCalls } from '@lintel/service/linux/device-calls';
import {
  EVENT_BYTES,
  GET_LINE,
  GET_VALUES,
  type LineEvent,
  type LinesWanted,
  lineEvents,
  lineRequest,
  lineValues,
  requestedFd,
  SET_VALUES,
  valuesOf,
} from './gpio-abi.ts';
import { type ChipLabels, openChip } from './gpio-chip.ts';

const EVENTS_AT_ONCE = 64;

/** Lines of one chip that are ours until they are closed. All methods throw when the chip has gone. */
export class LineRequest {
  readonly #calls: DeviceCalls;
  readonly #fd: number;
  readonly #count: number;
  readonly #events = Buffer.alloc(EVENTS_AT_ONCE * EVENT_BYTES);
  #unwatch: () => void = () => undefined;

  constructor(calls: DeviceCalls, chip: ChipLabels, wanted: LinesWanted) {
    this.#calls = calls;
    this.#count = wanted.offsets.length;
    this.#fd = this.#request(chip, wanted);
    calls.unblock(this.#fd);
  }

  #request(chip: ChipLabels, wanted: LinesWanted): number {
    const chipFd = openChip(this.#calls, chip);
    const bytes = lineRequest(wanted);
    try {
      this.#calls.ioctl(chipFd, GET_LINE, bytes);
    } catch (error) {
      // The same object: whoever retries looks at its code.
      if (error instanceof Error) error.message = `GPIO line ${wanted.offsets.join(', ')}: ${error.message}`;
      throw error;
    } finally {
      this.#calls.close(chipFd);
    }
    return requestedFd(bytes);
  }

  values(): readonly boolean[] {
    const bytes = lineValues(Array.from({ length: this.#count }, () => false));
    this.#calls.ioctl(this.#fd, GET_VALUES, bytes);
    return valuesOf(bytes, this.#count);
  }

  set(values: readonly boolean[]): void {
    this.#calls.ioctl(this.#fd, SET_VALUES, lineValues(values));
  }

  /** The edges that wait to be read now, some of them if there are many. */
  events(): readonly LineEvent[] {
    const length = this.#calls.read(this.#fd, this.#events);
    return lineEvents(this.#events.subarray(0, length));
  }

  watch(ready: () => void): void {
    this.#unwatch = this.#calls.watch(this.#fd, ready);
  }

  close(): void {
    this.#unwatch();
    try {
      this.#calls.close(this.#fd);
    } catch {
      // It went with its chip.
    }
  }
}
