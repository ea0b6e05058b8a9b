/** One MQTT packet: the byte that says what it is, and where the rest of it begins. */
export interface RawPacket {
  readonly first: number;
  /** Of the part behind the length. */
  readonly start: number;
  readonly bytes: Buffer;
}

const LONGEST_LENGTH = 4;

/** `incomplete`: the rest is still to come. `malformed`: it is no length. */
type Length = { readonly value: number; readonly end: number } | 'incomplete' | 'malformed';

const readLength = (bytes: Buffer, from: number): Length => {
  let value = 0;
  for (let digit = 0; digit < LONGEST_LENGTH; digit++) {
    const byte = bytes[from + digit];
    if (byte === undefined) return 'incomplete';
    value += (byte & 0x7f) << (7 * digit);
    if (byte < 0x80) return { value, end: from + digit + 1 };
  }
  return 'malformed';
};

/** Cuts a stream of bytes into packets, without copying those that come whole. */
export class PacketSplitter {
  readonly #largest: number;
  #parts: Buffer[] = [];
  #held = 0;
  /** How many bytes the packet has that is being gathered, as far as is known. */
  #wanted = 0;

  constructor(largest: number) {
    this.#largest = largest;
  }

  /** False when the stream is not to be read any further. */
  take(chunk: Buffer, each: (packet: RawPacket) => void): boolean {
    this.#held += chunk.length;
    if (this.#parts.length > 0 && this.#held < this.#wanted) {
      this.#parts.push(chunk);
      return true;
    }
    const bytes = this.#parts.length === 0 ? chunk : Buffer.concat([...this.#parts, chunk]);
    this.#parts = [];
    this.#wanted = 0;
    let at = 0;
    while (at < bytes.length) {
      const length = readLength(bytes, at + 1);
      if (length === 'malformed') return false;
      if (length === 'incomplete') break;
      const end = length.end + length.value;
      if (end - at > this.#largest) return false;
      if (end > bytes.length) {
        this.#wanted = end - at;
        break;
      }
      each({ first: bytes[at]!, start: length.end - at, bytes: bytes.subarray(at, end) });
      at = end;
    }
    const rest = at === 0 ? bytes : bytes.subarray(at);
    this.#held = rest.length;
    if (rest.length > 0) this.#parts.push(rest);
    return true;
  }
}
