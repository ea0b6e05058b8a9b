import { getErrorCode } from '@lintel/service/error-code';
import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import {
  GPIO_CHIP_INFO_BYTES,
  decodeGpioChipInfo,
  GPIO_IOCTL_GET_CHIP_INFO,
  GPIO_LINE_EVENT_BYTES,
  GPIO_IOCTL_GET_LINE,
  GPIO_IOCTL_GET_VALUES,
  type GpioLineEvent,
  type GpioLineRequestOptions,
  decodeGpioLineEvents,
  encodeGpioLineRequest,
  encodeGpioLineValues,
  decodeGpioLineRequestFd,
  GPIO_IOCTL_SET_VALUES,
  decodeGpioLineValues,
} from './abi.ts';

/**
 * Labels of the chip, because chip numbers change with the kernel and the order of plugging. The first chip with one
 * of these labels is used.
 */
export type GpioChipLabels = readonly string[];

const infoOf = (calls: DeviceSystemCalls, fd: number) => {
  const bytes = Buffer.alloc(GPIO_CHIP_INFO_BYTES);
  calls.ioctl(fd, GPIO_IOCTL_GET_CHIP_INFO, bytes);
  return decodeGpioChipInfo(bytes);
};

/** Returns the open descriptor of the chip. Throws if no chip has one of these labels. */
const openGpioChip = (calls: DeviceSystemCalls, labels: GpioChipLabels): number => {
  let refusal: unknown = null;
  for (const name of calls.list('/dev').filter(one => /^gpiochip\d+$/.test(one))) {
    try {
      const fd = calls.open(`/dev/${name}`);
      if (labels.includes(infoOf(calls, fd).label)) return fd;
      calls.close(fd);
    } catch (error) {
      refusal = error;
    }
  }
  const code = getErrorCode(refusal);
  if (code === 'EACCES' || code === 'EPERM') throw refusal as Error;
  throw new Error(`No GPIO chip has the label ${labels.join(' or ')}`);
};

const EVENTS_AT_ONCE = 64;

/** Lines of one chip, reserved until they are closed. All methods throw if the chip is gone. */
export class GpioLineRequest {
  readonly #calls: DeviceSystemCalls;
  readonly #fd: number;
  readonly #count: number;
  readonly #events = Buffer.alloc(EVENTS_AT_ONCE * GPIO_LINE_EVENT_BYTES);
  #unwatch: () => void = () => undefined;

  constructor(calls: DeviceSystemCalls, chip: GpioChipLabels, wanted: Omit<GpioLineRequestOptions, 'consumer'>) {
    this.#calls = calls;
    this.#count = wanted.offsets.length;
    this.#fd = this.#request(chip, wanted);
    calls.unblock(this.#fd);
  }

  #request(chip: GpioChipLabels, wanted: Omit<GpioLineRequestOptions, 'consumer'>): number {
    const chipFd = openGpioChip(this.#calls, chip);
    const bytes = encodeGpioLineRequest({ ...wanted, consumer: 'lintel' });
    try {
      this.#calls.ioctl(chipFd, GPIO_IOCTL_GET_LINE, bytes);
    } catch (error) {
      // Keeps the error object, because the retry logic reads its code.
      if (error instanceof Error) error.message = `GPIO line ${wanted.offsets.join(', ')}: ${error.message}`;
      throw error;
    } finally {
      this.#calls.close(chipFd);
    }
    return decodeGpioLineRequestFd(bytes);
  }

  values(): readonly boolean[] {
    const bytes = encodeGpioLineValues(Array.from({ length: this.#count }, () => false));
    this.#calls.ioctl(this.#fd, GPIO_IOCTL_GET_VALUES, bytes);
    return decodeGpioLineValues(bytes, this.#count);
  }

  set(values: readonly boolean[]): void {
    this.#calls.ioctl(this.#fd, GPIO_IOCTL_SET_VALUES, encodeGpioLineValues(values));
  }

  /** The buffered edges, up to the size of the read buffer. */
  events(): readonly GpioLineEvent[] {
    const length = this.#calls.read(this.#fd, this.#events);
    return decodeGpioLineEvents(this.#events.subarray(0, length));
  }

  watch(ready: () => void): void {
    this.#unwatch = this.#calls.watch(this.#fd, ready);
  }

  close(): void {
    this.#unwatch();
    try {
      this.#calls.close(this.#fd);
    } catch {
      // The descriptor is gone together with its chip.
    }
  }
}
