import type { SpiDevice } from '@lintel/service/linux/spi';

/* An MFRC522 with at most one card in its field, at the level of registers. Written from the data sheet of the chip and
 * ISO 14443-3. Shares no code with the driver. */

const crcA = (bytes: readonly number[]): readonly [number, number] => {
  let [low, high] = [0x63, 0x63];
  for (const byte of bytes) {
    let mixed = byte ^ low;
    mixed = (mixed ^ (mixed << 4)) & 0xff;
    const crc = ((high | 0) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)) & 0xffff;
    [low, high] = [crc & 0xff, crc >> 8];
  }
  return [low, high];
};

const isSame = (a: readonly number[], b: readonly number[]): boolean => a.join() === b.join();

export class SimulatedRc522 implements SpiDevice {
  readonly #registers = new Map<number, number>();
  #fifo: number[] = [];
  /** How many levels of the uid are selected; null while the card sleeps. */
  #selected: number | null = null;
  #isHalted = false;
  uid: string | null = null;
  isPowered = true;
  /** How many of the next answers of the card arrive damaged. */
  answersToDamage = 0;
  searchesWithCard = 0;
  searchesWithoutCard = 0;
  readonly transfers: string[] = [];

  /** Power cycle. */
  reset(): void {
    this.#registers.clear();
    this.#fifo = [];
  }

  close(): void {}

  transfer(bytes: Uint8Array): Buffer {
    if (!this.isPowered) return Buffer.alloc(bytes.length);
    const [address = 0, value = 0] = bytes;
    const register = (address & 0x7e) / 2;
    const isRead = address >= 0x80;
    const read = isRead ? this.#read(register) : 0;
    if (!isRead) this.#write(register, value);
    this.transfers.push(`${isRead ? 'r' : 'w'} ${register.toString(16)} ${(isRead ? read : value).toString(16)}`);
    return Buffer.from([0, read]);
  }

  #read(register: number): number {
    if (register === 0x37) return 0x92;
    if (register === 0x09) return this.#fifo.shift() ?? 0;
    if (register === 0x0a) return this.#fifo.length;
    return this.#registers.get(register) ?? (register === 0x14 ? 0x80 : 0);
  }

  #write(register: number, value: number): void {
    if (register === 0x01 && value === 0x0f) return this.reset();
    if (register === 0x09) return void this.#fifo.push(value);
    if (register === 0x0a && value >= 0x80) return void (this.#fifo = []);
    // Interrupt requests: the first bit says whether the others are set or cleared.
    if (register === 0x04 || register === 0x05) {
      const before = this.#read(register);
      return void this.#registers.set(register, value >= 0x80 ? before | (value & 0x7f) : before & ~value);
    }
    this.#registers.set(register, value);
    if (register === 0x01 && value === 0x03) this.#calculateCrc();
    if (register === 0x0d && value >= 0x80) this.#transceive(value & 7);
  }

  #calculateCrc(): void {
    const [low, high] = crcA(this.#fifo);
    this.#fifo = [];
    this.#registers.set(0x22, low).set(0x21, high).set(0x05, 0x04);
  }

  #transceive(lastBits: number): void {
    const sent = this.#fifo;
    this.#fifo = [];
    this.#registers.set(0x06, 0);
    const isRadioOn = ((this.#registers.get(0x14) ?? 0) & 3) === 3 && this.#registers.get(0x01) === 0x0c;
    const answer = this.uid === null || !isRadioOn ? null : this.#card(sent, lastBits);
    if (lastBits === 7) {
      if (answer === null) this.searchesWithoutCard++;
      else {
        this.searchesWithCard++;
        this.searchesWithoutCard = 0;
      }
    }
    if (answer === null) return void this.#registers.set(0x04, 0x01);
    if (this.answersToDamage > 0 && lastBits === 0) {
      this.answersToDamage--;
      this.#registers.set(0x06, 0x02);
    }
    this.#fifo = [...answer];
    this.#registers.set(0x04, 0x30);
  }

  /** Four bytes for each level: cascade tag and three bytes, or the last four bytes. */
  #levels(): readonly (readonly number[])[] {
    const uid = [...Buffer.from(this.uid ?? '', 'hex')];
    const levels: number[][] = [];
    for (; uid.length > 4; ) levels.push([0x88, ...uid.splice(0, 3)]);
    return [...levels, uid];
  }

  #card(sent: readonly number[], lastBits: number): readonly number[] | null {
    // A card that was halted answers only the second of the two requests.
    if (lastBits === 7 && (isSame(sent, [0x52]) || (isSame(sent, [0x26]) && !this.#isHalted))) {
      this.#selected = 0;
      this.#isHalted = false;
      return [0x44, 0x00];
    }
    if (isSame(sent, [0x50, 0x00, ...crcA([0x50, 0x00])])) {
      this.#selected = null;
      this.#isHalted = true;
      return null;
    }
    const levels = this.#levels();
    const number = [0x93, 0x95, 0x97].indexOf(sent[0]!);
    const level = levels[number];
    if (level === undefined || this.#selected !== number) return null;
    const withCheck = [...level, level.reduce((sum, byte) => sum ^ byte, 0)];
    if (sent.length === 2 && sent[1] === 0x20) return withCheck;
    const select = [sent[0]!, 0x70, ...withCheck];
    if (!isSame(sent, [...select, ...crcA(select)])) return null;
    this.#selected = number + 1;
    const acknowledge = number + 1 < levels.length ? 0x04 : 0x08;
    return [acknowledge, ...crcA([acknowledge])];
  }
}
