/** The fields of an OSDP packet, named as in the standard. */
export interface OsdpWireMessage {
  readonly address: number;
  readonly isReply: boolean;
  readonly sequence: number;
  readonly usesCrc: boolean;
  /** Without its length byte: type, then data. */
  readonly securityBlock: Buffer | null;
  readonly code: number;
  readonly data: Buffer;
  readonly mac: Buffer | null;
}

/** CRC-16 with the polynomial and start value of the standard, one bit at a time. */
export const crcBitByBit = (bytes: Uint8Array): number => {
  let register = 0x1d0f;
  for (const byte of bytes)
    for (let bit = 7; bit >= 0; bit--) {
      const feedback = ((register >> 15) & 1) ^ ((byte >> bit) & 1);
      register = (register << 1) & 0xffff;
      if (feedback === 1) register ^= 0x1021;
    }
  return register;
};

const hasMac = (block: Buffer | null): boolean => block !== null && [0x15, 0x16, 0x17, 0x18].includes(block[0]!);

/** The packet up to the MAC. Its length field covers the complete packet. */
export const encodeUpToMac = (message: Omit<OsdpWireMessage, 'mac'>): Buffer => {
  const { securityBlock: block, data } = message;
  const body = Buffer.concat([
    block === null ? Buffer.alloc(0) : Buffer.concat([Buffer.of(block.length + 1), block]),
    Buffer.of(message.code),
    data,
  ]);
  const total = 5 + body.length + (hasMac(block) ? 4 : 0) + (message.usesCrc ? 2 : 1);
  const header = Buffer.of(0x53, message.address + (message.isReply ? 0x80 : 0), 0, 0, 0);
  header.writeUInt16LE(total, 2);
  header[4] = message.sequence + (message.usesCrc ? 4 : 0) + (block === null ? 0 : 8);
  return Buffer.concat([header, body]);
};

export const appendChecksum = (unchecked: Buffer): Buffer => {
  if ((unchecked[4]! & 4) === 0) {
    const sum = unchecked.reduce((total, byte) => total + byte, 0);
    return Buffer.concat([unchecked, Buffer.of((256 - (sum % 256)) % 256)]);
  }
  const check = Buffer.alloc(2);
  check.writeUInt16LE(crcBitByBit(unchecked));
  return Buffer.concat([unchecked, check]);
};

const parseFrame = (frame: Buffer): OsdpWireMessage => {
  const control = frame[4]!;
  const end = frame.length - ((control & 4) === 0 ? 1 : 2);
  const block = (control & 8) === 0 ? null : frame.subarray(6, 5 + frame[5]!);
  const codeAt = block === null ? 5 : 6 + block.length;
  const dataEnd = end - (hasMac(block) ? 4 : 0);
  return {
    address: frame[1]! & 0x7f,
    isReply: frame[1]! >= 0x80,
    sequence: control & 3,
    usesCrc: (control & 4) !== 0,
    securityBlock: block,
    code: frame[codeAt]!,
    data: frame.subarray(codeAt + 1, dataEnd),
    mac: hasMac(block) ? frame.subarray(dataEnd, end) : null,
  };
};

const hasValidChecksum = (frame: Buffer): boolean => {
  const control = frame[4]!;
  return appendChecksum(frame.subarray(0, frame.length - ((control & 4) === 0 ? 1 : 2))).equals(frame);
};

/** Finds complete packets in a byte stream. */
export class OsdpFrameReader {
  #bytes = Buffer.alloc(0);

  feed(bytes: Uint8Array): { readonly message: OsdpWireMessage; readonly frame: Buffer }[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const found: { message: OsdpWireMessage; frame: Buffer }[] = [];
    for (;;) {
      const start = this.#bytes.indexOf(0x53);
      if (start === -1) {
        this.#bytes = Buffer.alloc(0);
        return found;
      }
      this.#bytes = this.#bytes.subarray(start);
      if (this.#bytes.length < 5) return found;
      const length = this.#bytes.readUInt16LE(2);
      if (length >= 7 && length <= 1440 && this.#bytes.length < length) return found;
      const frame = this.#bytes.subarray(0, length);
      if (length >= 7 && length <= 1440 && hasValidChecksum(frame)) {
        found.push({ message: parseFrame(frame), frame });
        this.#bytes = this.#bytes.subarray(length);
      } else this.#bytes = this.#bytes.subarray(1);
    }
  }
}
