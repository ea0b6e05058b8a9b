import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { encodeUpToMac, appendChecksum, type OsdpWireMessage } from './osdp-frames.ts';

export const installationKey = Buffer.from('0123456789:;<=>?', 'ascii');

const ecb = (key: Buffer, block: Buffer): Buffer => {
  const cipher = createCipheriv('aes-128-ecb', key, null);
  cipher.setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
};

const cbc = (key: Buffer, iv: Buffer, text: Buffer): Buffer => {
  let previous = iv;
  const out: Buffer[] = [];
  for (let at = 0; at < text.length; at += 16) {
    const mixed = Buffer.from(text.subarray(at, at + 16).map((byte, place) => byte ^ previous[place]!));
    previous = ecb(key, mixed);
    out.push(previous);
  }
  return Buffer.concat(out);
};

const inverted = (bytes: Buffer): Buffer => Buffer.from(bytes.map(byte => 0xff - byte));

const fill = (text: Buffer): Buffer => {
  const marked = Buffer.concat([text, Buffer.of(0x80)]);
  return Buffer.concat([marked, Buffer.alloc((16 - (marked.length % 16)) % 16)]);
};

/** The peripheral side of the OSDP secure channel, written from annex D of the standard. */
export class PeripheralSecureChannel {
  readonly readerRandom = randomBytes(8);
  readonly #panelRandom: Buffer;
  readonly #enc: Buffer;
  readonly #mac1: Buffer;
  readonly #mac2: Buffer;
  #commandMac: Buffer = Buffer.alloc(16);
  #replyMac: Buffer = Buffer.alloc(16);
  isOpen = false;

  constructor(baseKey: Buffer, panelRandom: Buffer) {
    const seed = (a: number, b: number): Buffer =>
      Buffer.concat([Buffer.of(a, b), panelRandom.subarray(0, 6), Buffer.alloc(8)]);
    this.#panelRandom = Buffer.from(panelRandom);
    this.#enc = ecb(baseKey, seed(0x01, 0x82));
    this.#mac1 = ecb(baseKey, seed(0x01, 0x01));
    this.#mac2 = ecb(baseKey, seed(0x01, 0x02));
  }

  /** Proves that the reader has the key. */
  clientCryptogram(): Buffer {
    return ecb(this.#enc, Buffer.concat([this.#panelRandom, this.readerRandom]));
  }

  /** Checks the proof of the panel. Returns the initial R-MAC, or null for a wrong proof. */
  accept(serverCryptogram: Buffer): Buffer | null {
    const expected = ecb(this.#enc, Buffer.concat([this.readerRandom, this.#panelRandom]));
    if (!expected.equals(serverCryptogram)) return null;
    this.#replyMac = ecb(this.#mac2, ecb(this.#mac1, serverCryptogram));
    this.isOpen = true;
    return this.#replyMac;
  }

  #mac(iv: Buffer, text: Buffer): Buffer {
    const whole = text.length % 16 === 0 ? text : fill(text);
    const head = whole.subarray(0, -16);
    const chained = head.length === 0 ? iv : cbc(this.#mac1, iv, head).subarray(-16);
    return cbc(this.#mac2, chained, whole.subarray(-16));
  }

  /** Decrypts the data of a command. Null for a wrong MAC. */
  decrypt(message: OsdpWireMessage, frame: Buffer): Buffer | null {
    const covered = frame.subarray(0, frame.length - 4 - (message.usesCrc ? 2 : 1));
    const mac = this.#mac(this.#replyMac, covered);
    if (message.mac === null || !mac.subarray(0, 4).equals(message.mac)) return null;
    const iv = inverted(this.#replyMac);
    this.#commandMac = mac;
    if (message.securityBlock![0] === 0x15) return message.data;
    const decipher = createDecipheriv('aes-128-cbc', this.#enc, iv);
    decipher.setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(message.data), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(0x80));
  }

  /** Encrypts a reply and adds MAC and checksum. With a block type, the data is not encrypted. */
  encrypt(reply: Omit<OsdpWireMessage, 'mac' | 'securityBlock'>, blockType: number | null = null): Buffer {
    const isClear = reply.data.length === 0 || blockType !== null;
    const data = isClear ? reply.data : cbc(this.#enc, inverted(this.#commandMac), fill(reply.data));
    const covered = encodeUpToMac({ ...reply, data, securityBlock: Buffer.of(blockType ?? (isClear ? 0x16 : 0x18)) });
    this.#replyMac = this.#mac(this.#commandMac, covered);
    return appendChecksum(Buffer.concat([covered, this.#replyMac.subarray(0, 4)]));
  }
}
