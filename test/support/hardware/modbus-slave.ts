import type { Pty } from '../processes/pty.ts';

/* A line of Modbus relay boards, written from the standard and the sheet of a board with pulses, for no program's sake. */

const table = Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let round = 0; round < 8; round++)
    value = value % 2 === 1 ? Math.floor(value / 2) ^ 0xa001 : Math.floor(value / 2);
  return value;
});

const checkOf = (bytes: Buffer): number =>
  bytes.reduce((check, byte) => Math.floor(check / 256) ^ table[(check ^ byte) % 256]!, 0xffff);

const sealed = (bytes: Buffer): Buffer => {
  const check = checkOf(bytes);
  return Buffer.concat([bytes, Buffer.from([check % 256, Math.floor(check / 256)])]);
};

const FLASH_ON = 0x0200;
const FLASH_MS = 100;
const RELAYS = 8;

/** A board with eight relays and eight inputs. Its time passes only when it is told to. */
export class ModbusSlave {
  readonly inputs = new Set<number>();
  /** Requests that it obeyed. */
  readonly obeyed: string[] = [];
  /** Answers nothing. */
  isDeaf = false;
  /** Refuses every request with this exception. */
  exception: number | null = null;
  /** Knows the command that makes it time a pulse. */
  timesPulses = true;
  /** Refuses to write these relays, and is read as ever. */
  readonly stuck = new Set<number>();
  /** What lies on the line before the next answers. */
  noise = Buffer.alloc(0);
  /** How many answers get a wrong check. */
  wrongChecks = 0;
  reads = 0;
  readonly #onUntil = new Map<number, number>();
  #time = 0;

  isOn(relay: number): boolean {
    return (this.#onUntil.get(relay) ?? -1) > this.#time;
  }

  pass(milliseconds: number): void {
    this.#time += milliseconds;
  }

  /** The power was away: all relays have fallen. */
  reset(): void {
    this.#onUntil.clear();
  }

  answer(request: Buffer): Buffer | null {
    if (this.isDeaf) return null;
    const [unit, code] = request;
    const reply = this.exception === null ? this.#obey(request) : this.exception;
    const body = typeof reply === 'number' ? Buffer.from([unit!, code! + 0x80, reply]) : reply;
    const frame = sealed(body);
    if (this.wrongChecks > 0) {
      this.wrongChecks--;
      frame[frame.length - 1]! ^= 0x55;
    }
    return Buffer.concat([this.noise, frame]);
  }

  #obey(request: Buffer): Buffer | number {
    const [unit, code] = request;
    const [address, value] = [request.readUInt16BE(2), request.readUInt16BE(4)];
    if (code === 1) return this.#bits(unit!, code, address, value, relay => this.isOn(relay));
    if (code === 2) return this.#bits(unit!, code, address, value, input => this.inputs.has(input));
    if (code !== 5) return 1;
    const relay = address >= FLASH_ON ? address - FLASH_ON : address;
    if (relay >= RELAYS || (address >= FLASH_ON && !this.timesPulses)) return 2;
    if (this.stuck.has(relay)) return 4;
    if (address >= FLASH_ON) this.#onUntil.set(relay, this.#time + value * FLASH_MS);
    else if (value === 0xff00) this.#onUntil.set(relay, Infinity);
    else if (value === 0) this.#onUntil.delete(relay);
    else return 3;
    this.obeyed.push(request.toString('hex'));
    return Buffer.from(request.subarray(0, 6));
  }

  #bits(unit: number, code: number, first: number, count: number, isSet: (number: number) => boolean): Buffer | number {
    this.reads++;
    if (first + count > RELAYS) return 2;
    const packed = Buffer.alloc(Math.ceil(count / 8));
    for (let index = 0; index < count; index++)
      if (isSet(first + index)) packed[Math.floor(index / 8)]! += 2 ** (index % 8);
    return Buffer.concat([Buffer.from([unit, code, packed.length]), packed]);
  }
}

/** Puts boards on a line by their addresses. All requests that are used have eight bytes. */
export const wireSlaves = (pty: Pty, slaves: Readonly<Record<number, ModbusSlave>>): void => {
  let kept = Buffer.alloc(0);
  pty.onBytes(bytes => {
    kept = Buffer.concat([kept, bytes]);
    for (; kept.length >= 8; kept = kept.subarray(8)) {
      const request = kept.subarray(0, 8);
      if (!sealed(request.subarray(0, 6)).equals(request)) throw new Error(`not a request: ${request.toString('hex')}`);
      const answer = slaves[request[0]!]?.answer(Buffer.from(request)) ?? null;
      if (answer !== null) void pty.write(answer).catch(() => undefined);
    }
  });
};
