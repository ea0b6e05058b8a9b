/* Modbus RTU frames. Frames have no end marker: the length of a response follows from the request. */

const EXCEPTION = 0x80;
const EXCEPTION_BYTES = 5;
const WRITE_BYTES = 8;
const HEADER_BYTES = 3;
const CRC_BYTES = 2;
/** Unit and function; a single byte is ambiguous. */
const TELLING_BYTES = 2;
/** Maximum frame length of the standard. */
const LONGEST = 256;

export const computeModbusCrc = (bytes: Uint8Array): number => {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
};

export const appendModbusCrc = (body: Buffer): Buffer => {
  const crc = Buffer.alloc(CRC_BYTES);
  crc.writeUInt16LE(computeModbusCrc(body));
  return Buffer.concat([body, crc]);
};

const hasCrc = (frame: Buffer): boolean =>
  frame.readUInt16LE(frame.length - CRC_BYTES) === computeModbusCrc(frame.subarray(0, -CRC_BYTES));

/** Replaces on/off in a single-coil write by a number, as boards with timed pulses expect. */
export const encodeNumericCoilValue = (request: Buffer, value: number): Buffer => {
  const amended = Buffer.from(request.subarray(0, -CRC_BYTES));
  amended.writeUInt16BE(value, 4);
  return appendModbusCrc(amended);
};

const BIT_READS: readonly number[] = [1, 2];
const REGISTER_READS: readonly number[] = [3, 4];

/** The number of bytes with values in a read response; null for a write. */
const valueBytes = (request: Buffer): number | null => {
  const [code, count] = [request[1]!, request.readUInt16BE(4)];
  if (BIT_READS.includes(code)) return Math.ceil(count / 8);
  return REGISTER_READS.includes(code) ? 2 * count : null;
};

const answerBytes = (request: Buffer): number => {
  const values = valueBytes(request);
  return values === null ? WRITE_BYTES : HEADER_BYTES + values + CRC_BYTES;
};

/**
 * Whether these bytes can begin the response: a write response repeats the request, a read response states its length.
 */
const fits = (request: Buffer, bytes: Buffer): boolean => {
  const values = valueBytes(request);
  return values === null
    ? bytes.subarray(0, 6).equals(request.subarray(0, Math.min(6, bytes.length)))
    : bytes.length < HEADER_BYTES || bytes[2] === values;
};

/**
 * Finds the response to one request, ignoring bytes before it. No parser of serialport can do that: frames have neither a
 * start nor an end, their length follows from the request, and pauses on the line are lost in USB adapters.
 */
export class ModbusRtuResponseFinder {
  readonly #request: Buffer;
  #bytes = Buffer.alloc(0);
  #hasBroken = false;

  constructor(request: Buffer) {
    this.#request = request;
  }

  /** The complete response or exception, or null. */
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

  /** Bytes began like the response but were damaged or incomplete. */
  get hasDamage(): boolean {
    return this.#hasBroken || this.#bytes.length >= TELLING_BYTES;
  }

  /** Null: more bytes are needed. */
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
