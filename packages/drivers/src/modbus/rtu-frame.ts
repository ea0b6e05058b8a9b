/* Frames of Modbus RTU. Where one ends is not marked: the length of an answer follows from what was asked. */

const EXCEPTION = 0x80;
const EXCEPTION_BYTES = 5;
const WRITE_BYTES = 8;
const HEADER_BYTES = 3;
const CRC_BYTES = 2;
/** Unit and function: a single byte may be anything. */
const TELLING_BYTES = 2;
/** The longest frame of the standard. */
const LONGEST = 256;

export const crc16 = (bytes: Uint8Array): number => {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
};

const hasCrc = (frame: Buffer): boolean =>
  frame.readUInt16LE(frame.length - CRC_BYTES) === crc16(frame.subarray(0, -CRC_BYTES));

/** A write of one coil with a number instead of on or off: boards that time a pulse take it so. */
export const withCoilValue = (request: Buffer, value: number): Buffer => {
  const amended = Buffer.from(request);
  amended.writeUInt16BE(value, 4);
  amended.writeUInt16LE(crc16(amended.subarray(0, -CRC_BYTES)), amended.length - CRC_BYTES);
  return amended;
};

const readsBits = (code: number): boolean => code === 1 || code === 2;

const answerBytes = (request: Buffer): number =>
  readsBits(request[1]!) ? HEADER_BYTES + Math.ceil(request.readUInt16BE(4) / 8) + CRC_BYTES : WRITE_BYTES;

/** Whether these bytes may begin the answer: of a write they repeat the request, of a read they tell its length. */
const fits = (request: Buffer, bytes: Buffer): boolean =>
  readsBits(request[1]!)
    ? bytes.length < HEADER_BYTES || bytes[2] === answerBytes(request) - HEADER_BYTES - CRC_BYTES
    : bytes.subarray(0, 6).equals(request.subarray(0, Math.min(6, bytes.length)));

/** Waits for the answer to one request, whatever lies before it on the line. */
export class AnswerFinder {
  readonly #request: Buffer;
  #bytes = Buffer.alloc(0);
  #hasBroken = false;

  constructor(request: Buffer) {
    this.#request = request;
  }

  /** The whole answer or exception, once it is there. */
  take(bytes: Uint8Array): Buffer | null {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (let at = 0; at < this.#bytes.length; at++) {
      const found = this.#at(this.#bytes.subarray(at));
      if (found === 'no') continue;
      this.#bytes = this.#bytes.subarray(at);
      return found;
    }
    this.#bytes = Buffer.alloc(0);
    return null;
  }

  /** Something began as the answer and was none, or not all of it. */
  get hasDamage(): boolean {
    return this.#hasBroken || this.#bytes.length >= TELLING_BYTES;
  }

  /** Null: it may become the answer. */
  #at(bytes: Buffer): Buffer | null | 'no' {
    const [unit, code] = this.#request;
    if (bytes[0] !== unit) return 'no';
    if (bytes.length < 2) return null;
    const isException = bytes[1] === (code! | EXCEPTION);
    if (!isException && (bytes[1] !== code || !fits(this.#request, bytes))) return 'no';
    const length = isException ? EXCEPTION_BYTES : answerBytes(this.#request);
    if (length > LONGEST) return 'no';
    if (bytes.length < length) return null;
    const frame = Buffer.from(bytes.subarray(0, length));
    if (hasCrc(frame)) return frame;
    this.#hasBroken = true;
    return 'no';
  }
}
