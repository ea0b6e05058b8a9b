import type { DeviceSystemCalls } from '@lintel/service/linux/device-system-calls-interface';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';

interface Request {
  readonly offsets: readonly number[];
  readonly flags: number;
  readonly isDebounced: boolean;
  values: boolean[];
  events: Buffer[];
  sequence: number;
  ready: () => void;
}

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

const ACTIVE_LOW = 2;
const OUTPUT = 8;
const PULL_UP = 0x100;

/** Simulates the kernel side of the GPIO character device, at the level of system calls. */
export class SimulatedGpioKernel implements DeviceSystemCalls {
  readonly calls: string[] = [];
  readonly #clock: Pick<MonotonicClock, 'now'>;
  readonly #label: string;
  readonly #requests = new Map<number, Request>();
  readonly #driven = new Map<number, boolean>();
  #isPlugged = true;
  #isPaused = false;
  #nextFd = 100;
  /** The error code of a chip driver without debounce support. */
  debounceError: string | null = null;
  /** Lines that another program uses. */
  readonly busy = new Set<number>();
  /** Computes levels that depend on other lines, such as the columns of a keypad. */
  derivedLevel: (offset: number) => boolean | undefined = () => undefined;

  constructor(clock: Pick<MonotonicClock, 'now'>, label = 'pinctrl-test') {
    this.#clock = clock;
    this.#label = label;
  }

  /** Sets the external level of an input. */
  drive(offset: number, isHigh: boolean): void {
    const before = this.isHigh(offset);
    this.#driven.set(offset, isHigh);
    if (before !== isHigh) this.#edge(offset, isHigh);
  }

  isHigh(offset: number): boolean {
    for (const request of this.#requests.values()) {
      const index = request.offsets.indexOf(offset);
      if (index >= 0 && (request.flags & OUTPUT) !== 0)
        return request.values[index] !== ((request.flags & ACTIVE_LOW) !== 0);
    }
    const isPulledUp = [...this.#requests.values()].some(
      ({ offsets, flags }) => offsets.includes(offset) && (flags & PULL_UP) !== 0,
    );
    return this.derivedLevel(offset) ?? this.#driven.get(offset) ?? isPulledUp;
  }

  isRequested(offset: number): boolean {
    return [...this.#requests.values()].some(({ offsets }) => offsets.includes(offset));
  }

  unplug(): void {
    this.#isPlugged = false;
    for (const { ready } of this.#requests.values()) ready();
  }

  plugIn(): void {
    this.#requests.clear();
    this.#isPlugged = true;
  }

  /** Simulates a busy process: events wait until `resumeEvents`. */
  pauseEvents(): void {
    this.#isPaused = true;
  }

  resumeEvents(): void {
    this.#isPaused = false;
    for (const { events, ready } of this.#requests.values()) if (events.length > 0) ready();
  }

  /** Drops an edge, as a full kernel buffer does. */
  loseEdge(): void {
    for (const request of this.#requests.values()) request.sequence++;
  }

  list(folder: string): readonly string[] {
    return this.#isPlugged && folder === '/dev' ? ['null', 'gpiochip0', 'gpiochip1'] : ['null'];
  }

  open(path: string): number {
    if (!this.#isPlugged) throw systemError('ENOENT');
    return path === '/dev/gpiochip1' ? 1 : 0;
  }

  ioctl(fd: number, request: number, argument: Uint8Array | number): void {
    if (!this.#isPlugged) throw systemError('ENODEV');
    if (typeof argument === 'number') throw systemError('EINVAL');
    const bytes = Buffer.from(argument.buffer, argument.byteOffset, argument.length);
    this.calls.push(`${fd} ${request.toString(16)} ${bytes.toString('hex')}`);
    if (request === 0x8044b401) bytes.write(fd === 1 ? this.#label : 'another', 32);
    else if (request === 0xc250b407) this.#request(bytes);
    else if (request === 0xc010b40e) this.#read(fd, bytes);
    else if (request === 0xc010b40f) this.#write(fd, bytes);
    else throw systemError('ENOTTY');
  }

  #request(bytes: Buffer): void {
    const count = bytes.readUInt32LE(560);
    const offsets = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(index * 4));
    if (offsets.some(offset => this.busy.has(offset) || this.isRequested(offset))) throw systemError('EBUSY');
    const attributes = Array.from({ length: bytes.readUInt32LE(296) }, (_, index) =>
      bytes.readUInt32LE(320 + index * 24),
    );
    if (attributes.includes(3) && this.debounceError !== null) throw systemError(this.debounceError);
    const fd = this.#nextFd++;
    this.#requests.set(fd, {
      offsets,
      flags: Number(bytes.readBigUInt64LE(288)),
      isDebounced: attributes.includes(3),
      values: offsets.map(() => false),
      events: [],
      sequence: 0,
      ready: () => undefined,
    });
    bytes.writeInt32LE(fd, 588);
  }

  #requestOf(fd: number): Request {
    const request = this.#requests.get(fd);
    if (request === undefined || !this.#isPlugged) throw systemError('ENODEV');
    return request;
  }

  #read(fd: number, bytes: Buffer): void {
    const { offsets, flags } = this.#requestOf(fd);
    const isLow = (flags & ACTIVE_LOW) !== 0;
    const bits = offsets.reduce((all, offset, index) => (this.isHigh(offset) !== isLow ? all | (1 << index) : all), 0);
    bytes.writeBigUInt64LE(BigInt(bits), 0);
  }

  #write(fd: number, bytes: Buffer): void {
    const request = this.#requestOf(fd);
    const [bits, mask] = [bytes.readBigUInt64LE(0), bytes.readBigUInt64LE(8)];
    request.values = request.values.map((value, index) =>
      (mask >> BigInt(index)) & 1n ? ((bits >> BigInt(index)) & 1n) === 1n : value,
    );
  }

  #edge(offset: number, isHigh: boolean): void {
    for (const request of this.#requests.values()) {
      if (!request.offsets.includes(offset)) continue;
      const isRising = isHigh !== ((request.flags & ACTIVE_LOW) !== 0);
      if ((request.flags & (isRising ? 0x10 : 0x20)) === 0) continue;
      const event = Buffer.alloc(48);
      event.writeBigUInt64LE(BigInt(Math.round(this.#clock.now() * 1e6)), 0);
      event.writeUInt32LE(isRising ? 1 : 2, 8);
      event.writeUInt32LE(offset, 12);
      event.writeUInt32LE(++request.sequence, 16);
      request.events.push(event);
      if (!this.#isPaused) request.ready();
    }
  }

  unblock(fd: number): void {
    this.#requestOf(fd);
  }

  read(fd: number, into: Uint8Array): number {
    const request = this.#requestOf(fd);
    const taken = Buffer.concat(request.events.splice(0, Math.floor(into.length / 48)));
    into.set(taken);
    return taken.length;
  }

  watch(fd: number, ready: () => void): () => void {
    const request = this.#requestOf(fd);
    request.ready = ready;
    return () => {
      request.ready = () => undefined;
    };
  }

  close(fd: number): void {
    if (fd >= 100 && !this.#requests.delete(fd)) throw systemError('EBADF');
  }
}
