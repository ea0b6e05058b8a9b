import type { SpiDevice } from '@lintel/service/linux/spi';

/* Registers of the MFRC522 (data sheet, 9.3). */
const COMMAND = 0x01;
const COM_IRQ = 0x04;
const ERROR = 0x06;
const FIFO_DATA = 0x09;
const FIFO_LEVEL = 0x0a;
const BIT_FRAMING = 0x0d;
const COLLISION = 0x0e;
const MODE = 0x11;
const TX_CONTROL = 0x14;
const TX_ASK = 0x15;
const TIMER_MODE = 0x2a;
const TIMER_PRESCALER = 0x2b;
const TIMER_RELOAD_HIGH = 0x2c;
const TIMER_RELOAD_LOW = 0x2d;
const VERSION = 0x37;

const [IDLE, TRANSCEIVE, SOFT_RESET] = [0x00, 0x0c, 0x0f];
const ANTENNA_ON = 0x03;
const FLUSH_FIFO = 0x80;
const START_SEND = 0x80;
const RECEIVED_OR_IDLE = 0x30;
const TIMED_OUT = 0x01;
/** Buffer overflow, collision, parity, protocol. */
const ERRORS = 0x1b;
const COLLIDED = 0x08;

/** Versions 1 and 2 of the chip, and common copies of it. */
const VERSIONS: ReadonlySet<number> = new Set([0x91, 0x92, 0x88, 0x90, 0xb2, 0x12, 0x18, 0x82]);

/** The chip is absent or does not work. */
class Rc522Error extends Error {
  override readonly name = 'Rc522Error';
}

type Rc522Response =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'none' }
  /** Two cards answered at once, or the answer was damaged. */
  | { readonly type: 'damaged'; readonly isCollision: boolean };

/** Sends bits to cards through an MFRC522 and receives their answers. */
export class Rc522Chip {
  readonly #spi: SpiDevice;
  readonly #pause: () => Promise<void>;

  /** `pause` waits about a millisecond. */
  constructor(spi: SpiDevice, pause: () => Promise<void>) {
    this.#spi = spi;
    this.#pause = pause;
  }

  async setUp(): Promise<void> {
    this.#write(COMMAND, SOFT_RESET);
    await this.#pause();
    const version = this.#read(VERSION);
    if (!VERSIONS.has(version))
      throw new Rc522Error(
        version === 0x00 || version === 0xff ? 'The chip is silent' : `The chip has the unknown version ${version}`,
      );
    // The timer starts after sending and ends waiting for a card after 5 ms: 40 kHz, 200 ticks.
    this.#write(TIMER_MODE, 0x80);
    this.#write(TIMER_PRESCALER, 0xa9);
    this.#write(TIMER_RELOAD_HIGH, 0x00);
    this.#write(TIMER_RELOAD_LOW, 0xc8);
    this.#write(TX_ASK, 0x40);
    // CRC preset of ISO 14443-3.
    this.#write(MODE, 0x3d);
    this.#write(TX_CONTROL, this.#read(TX_CONTROL) | ANTENNA_ON);
  }

  /** False if the chip has lost power since it was set up. */
  isSetUp(): boolean {
    return (this.#read(TX_CONTROL) & ANTENNA_ON) === ANTENNA_ON && this.#read(MODE) === 0x3d;
  }

  /** `lastBits`: how many bits of the last byte are sent, 0 for all. */
  async transceive(bytes: Uint8Array, lastBits = 0): Promise<Rc522Response> {
    this.#write(COMMAND, IDLE);
    this.#write(COM_IRQ, 0x7f);
    this.#write(FIFO_LEVEL, FLUSH_FIFO);
    // Bits after a collision are kept as zeros.
    this.#write(COLLISION, 0x00);
    for (const byte of bytes) this.#write(FIFO_DATA, byte);
    this.#write(COMMAND, TRANSCEIVE);
    this.#write(BIT_FRAMING, START_SEND | lastBits);
    const interrupts = await this.#finished();
    this.#write(BIT_FRAMING, 0x00);
    if ((interrupts & RECEIVED_OR_IDLE) === 0) return { type: 'none' };
    const errors = this.#read(ERROR);
    if ((errors & ERRORS) !== 0) return { type: 'damaged', isCollision: (errors & COLLIDED) !== 0 };
    const length = this.#read(FIFO_LEVEL) & 0x7f;
    return { type: 'bytes', bytes: Uint8Array.from({ length }, () => this.#read(FIFO_DATA)) };
  }

  close(): void {
    this.#spi.close();
  }

  async #finished(): Promise<number> {
    for (let attempt = 0; attempt < 50; attempt++) {
      const interrupts = this.#read(COM_IRQ);
      if ((interrupts & (RECEIVED_OR_IDLE | TIMED_OUT)) !== 0) return interrupts;
      await this.#pause();
    }
    throw new Rc522Error('The chip does not finish');
  }

  /** Data sheet, 8.1.2: the address is in bits 1 to 6; bit 7 means reading. */
  #read(register: number): number {
    return this.#spi.transfer(Uint8Array.of(0x80 | (register << 1), 0x00))[1]!;
  }

  #write(register: number, value: number): void {
    this.#spi.transfer(Uint8Array.of(register << 1, value));
  }
}

/* ISO 14443-3, type A: wake up, then one to three rounds of anticollision and selection for uids of 4, 7 and 10 bytes. */

const WAKE_UP = 0x52;
const SELECT: readonly number[] = [0x93, 0x95, 0x97];
const ANTICOLLISION_BITS = 0x20;
const SELECT_BITS = 0x70;
const CASCADE_TAG = 0x88;
const UID_IS_INCOMPLETE = 0x04;
const HALT = Uint8Array.of(0x50, 0x00);

/** CRC-A: polynomial 0x1021 reflected, initial 0x6363, low byte first. */
export const appendCrcA = (bytes: Uint8Array): Uint8Array => {
  let crc = 0x6363;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
  }
  return Uint8Array.of(...bytes, crc & 0xff, crc >>> 8);
};

type Rc522CardSearchResult =
  | { readonly type: 'card'; readonly uid: Uint8Array }
  | { readonly type: 'none' }
  /** A card is there but was not read. */
  | { readonly type: 'unread' };

const bytesOf = (answer: Rc522Response, length: number): Uint8Array | null =>
  answer.type === 'bytes' && answer.bytes.length === length ? answer.bytes : null;

const hasRightCrc = (answer: Uint8Array): boolean => {
  const expected = appendCrcA(answer.subarray(0, 1));
  return answer[1] === expected[1] && answer[2] === expected[2];
};

/** One round: four bytes of the uid, or three after the cascade tag. Null if it was not read. */
const readLevel = async (
  chip: Rc522Chip,
  select: number,
): Promise<{ readonly part: Uint8Array; readonly isLast: boolean } | null> => {
  const answer = bytesOf(await chip.transceive(Uint8Array.of(select, ANTICOLLISION_BITS)), 5);
  if (answer === null || answer.reduce((sum, byte) => sum ^ byte, 0) !== 0) return null;
  const selected = bytesOf(await chip.transceive(appendCrcA(Uint8Array.of(select, SELECT_BITS, ...answer))), 3);
  if (selected === null || !hasRightCrc(selected)) return null;
  const isLast = (selected[0]! & UID_IS_INCOMPLETE) === 0;
  if (!isLast && answer[0] !== CASCADE_TAG) return null;
  return { part: isLast ? answer.subarray(0, 4) : answer.subarray(1, 4), isLast };
};

/** Searches for one card and puts it to sleep again, so that the next search finds it again while it is present. */
export const findRc522Card = async (chip: Rc522Chip): Promise<Rc522CardSearchResult> => {
  const answer = await chip.transceive(Uint8Array.of(WAKE_UP), 7);
  if (answer.type === 'none') return { type: 'none' };
  const uid: number[] = [];
  for (const select of SELECT) {
    const level = await readLevel(chip, select);
    if (level === null) return { type: 'unread' };
    uid.push(...level.part);
    if (!level.isLast) continue;
    await chip.transceive(appendCrcA(HALT));
    return { type: 'card', uid: Uint8Array.from(uid) };
  }
  return { type: 'unread' };
};
