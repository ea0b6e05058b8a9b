/** An undecoded MQTT packet. */
export interface RawPacket {
  /** The first byte: packet type and flags. */
  readonly first: number;
  /** Offset of the content after the length field. */
  readonly start: number;
  readonly bytes: Buffer;
}

const MAX_LENGTH_BYTES = 4;

/** `incomplete`: more bytes are needed. */
type Length = { readonly value: number; readonly end: number } | 'incomplete' | 'malformed';

const readLength = (bytes: Buffer, from: number): Length => {
  let value = 0;
  for (let digit = 0; digit < MAX_LENGTH_BYTES; digit++) {
    const byte = bytes[from + digit];
    if (byte === undefined) return 'incomplete';
    value += (byte & 0x7f) << (7 * digit);
    if (byte < 0x80) return { value, end: from + digit + 1 };
  }
  return 'malformed';
};

/** Splits a byte stream into packets, without copying packets that arrive in one chunk. */
export class PacketSplitter {
  readonly #maxPacketBytes: number;
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  /** Size of the incomplete packet; 0 while it is unknown. */
  #packetBytes = 0;

  constructor(maxPacketBytes: number) {
    this.#maxPacketBytes = maxPacketBytes;
  }

  /** False for a malformed or too large packet, after which the stream cannot be read further. */
  push(chunk: Buffer, onPacket: (packet: RawPacket) => void): boolean {
    this.#bufferedBytes += chunk.length;
    if (this.#chunks.length > 0 && this.#bufferedBytes < this.#packetBytes) {
      this.#chunks.push(chunk);
      return true;
    }
    const bytes = this.#chunks.length === 0 ? chunk : Buffer.concat([...this.#chunks, chunk]);
    this.#chunks = [];
    this.#packetBytes = 0;
    let at = 0;
    while (at < bytes.length) {
      const length = readLength(bytes, at + 1);
      if (length === 'malformed') return false;
      if (length === 'incomplete') break;
      const end = length.end + length.value;
      if (end - at > this.#maxPacketBytes) return false;
      if (end > bytes.length) {
        this.#packetBytes = end - at;
        break;
      }
      onPacket({ first: bytes[at]!, start: length.end - at, bytes: bytes.subarray(at, end) });
      at = end;
    }
    const rest = at === 0 ? bytes : bytes.subarray(at);
    this.#bufferedBytes = rest.length;
    if (rest.length > 0) this.#chunks.push(rest);
    return true;
  }
}
