import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { I2cByteBus } from '@lintel/service/linux/i2c';
import type { SpiDevice } from '@lintel/service/linux/spi';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { SerialLineBase } from '../serial-line/serial-line-base.ts';

/** A PN532 that is asked whether it has something to say. All methods throw if the bus fails. */
interface Pn532Transport {
  write(frame: Uint8Array): void;
  isReady(): boolean;
  /** Reads from the beginning of the waiting frame. What follows the frame is undefined. */
  read(length: number): Uint8Array;
  close(): void;
}

/** User manual, 6.2.4: every read begins with a status byte whose lowest bit means ready. */
export const createPn532I2cTransport = (bus: I2cByteBus, address: number): Pn532Transport => ({
  write: frame => bus.send(address, frame),
  isReady: () => (bus.receive(address, 1)[0]! & 1) === 1,
  read: length => bus.receive(address, 1 + length).subarray(1),
  close: () => undefined,
});

const DATA_WRITE = 0x01;
const STATUS_READ = 0x02;
const DATA_READ = 0x03;

const reverseBits = (byte: number): number => {
  let reversed = 0;
  for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
  return reversed;
};

/** User manual, 6.2.5: the least significant bit comes first, which the SPI of a Raspberry Pi cannot do itself. */
export const createPn532SpiTransport = (spi: SpiDevice): Pn532Transport => {
  const exchange = (bytes: Uint8Array): Uint8Array =>
    Uint8Array.from(spi.transfer(bytes.map(reverseBits)), reverseBits);
  return {
    write: frame => void exchange(Uint8Array.of(DATA_WRITE, ...frame)),
    isReady: () => (exchange(Uint8Array.of(STATUS_READ, 0))[1]! & 1) === 1,
    read: length => exchange(Uint8Array.of(DATA_READ, ...new Uint8Array(length))).subarray(1),
    close: () => spi.close(),
  };
};

/** Acknowledgement and refusal are frames of this length. */
const SHORT_FRAME_BYTES = 6;
/** An extended frame with the longest response. */
const LONG_FRAME_BYTES = 7 + 265 + 2;
/** For all other commands. A target with the longest uid and 20 bytes of ATS fits. */
const MOST_LISTED_BYTES = 48;
const READY_MS = 5;
const RETRY_MS = 1_000;

const IN_DATA_EXCHANGE = 0x40;

type Waiting = 'nothing' | 'ack' | 'response';

const hasStartCode = (bytes: Uint8Array): boolean => bytes.some((byte, at) => byte === 0x00 && bytes[at + 1] === 0xff);

/**
 * A PN532 on I2C or SPI as a line of bytes: after a command, the chip is asked until it has the acknowledgement, then until
 * it has the response.
 */
export class PolledPn532Line extends SerialLineBase {
  readonly #open: () => Pn532Transport;
  readonly #clock: MonotonicClock;
  #transport: Pn532Transport | null = null;
  #waiting: Waiting = 'nothing';
  #responseBytes = MOST_LISTED_BYTES;
  #isClosed = false;
  #cancel: () => void = () => undefined;

  constructor(open: () => Pn532Transport, clock: MonotonicClock) {
    super();
    this.#open = open;
    this.#clock = clock;
    this.#connect();
  }

  async write(bytes: Uint8Array): Promise<void> {
    const transport = this.#transport;
    if (transport === null) throw new Error(this.health.fault?.message ?? 'The bus is closed');
    // The bytes that wake the chip on a serial line: I2C and SPI wake it with the first transfer.
    if (!hasStartCode(bytes)) return;
    try {
      transport.write(bytes);
    } catch (error) {
      // The chip does not acknowledge its address while it sleeps or is absent. The line itself works.
      this.#waiting = 'nothing';
      throw error;
    }
    this.#waiting = bytes.length === SHORT_FRAME_BYTES ? 'response' : 'ack';
    if (this.#waiting === 'ack')
      this.#responseBytes = bytes[6] === IN_DATA_EXCHANGE ? LONG_FRAME_BYTES : MOST_LISTED_BYTES;
    this.#ask(transport);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    this.#transport?.close();
    this.#transport = null;
  }

  #connect(): void {
    try {
      this.#transport = this.#open();
      this.opened();
    } catch (error) {
      this.health.fail('absent', (error as Error).message);
      this.#after(RETRY_MS, () => this.#connect());
    }
  }

  #ask(transport: Pn532Transport): void {
    this.#after(READY_MS, () => this.#look(transport));
  }

  /** Waits without end: the time limit of the command ends it with the next write. */
  #look(transport: Pn532Transport): void {
    if (this.#isClosed || this.#waiting === 'nothing') return;
    let bytes: Uint8Array | null = null;
    try {
      if (transport.isReady())
        bytes = Uint8Array.from(transport.read(this.#waiting === 'ack' ? SHORT_FRAME_BYTES : this.#responseBytes));
    } catch {
      // Not there at this moment: as if it were not ready.
    }
    if (bytes !== null) this.#waiting = this.#waiting === 'ack' ? 'response' : 'nothing';
    if (this.#waiting !== 'nothing') this.#ask(transport);
    if (bytes !== null) this.received(bytes);
  }

  #after(milliseconds: number, then: () => void): void {
    this.#cancel();
    this.#cancel = this.#clock.wake(addMilliseconds(this.#clock.now(), milliseconds), then);
  }
}
