import type { Pty } from '../processes/pty.ts';

/** A simulated card or phone in the field of the module. */
export interface SimulatedPn532Target {
  readonly uid: string;
  /** Responds to an APDU; null causes a timeout. Absent for a card without APDUs. */
  readonly answer?: (apdu: Uint8Array) => Uint8Array | null;
}

/** What the module is connected to: a serial line, or an adapter to another bus. */
export type Pn532Line = Pick<Pty, 'onBytes' | 'write'>;

type Pn532Response = readonly number[];

const FIRMWARE: Pn532Response = [0x03, 0x32, 0x01, 0x06, 0x07];
/** WriteRegister, SetParameters and RFConfiguration. */
const SETTINGS = [0x08, 0x12, 0x32];
const SENS_RES_OF_LENGTH: Readonly<Record<number, number>> = { 4: 0x04, 7: 0x44, 10: 0x84 };

/**
 * A PN532 at the other end of a serial line, written from its user manual. Shares no code with the driver under test.
 */
export class SimulatedPn532 {
  readonly #line: Pn532Line;
  #received: number[] = [];
  #isAwake = false;
  #isConfigured = false;
  #last: Pn532Response = [];
  #selected: SimulatedPn532Target | null = null;
  isPowered = true;
  target: SimulatedPn532Target | null = null;
  /** How many of the next responses get a wrong checksum. */
  responsesToCorrupt = 0;
  /** How many of the next responses to polls are not sent. */
  pollResponsesToDrop = 0;
  /**
   * How often the reader has found the target and released it, which it does when it needs nothing more from it. A poll alone
   * does not show that: a busy reader repeats the command before it reads the first response.
   */
  finishedReadings = 0;
  /** Polls without a target since the last one with a target. */
  pollsWithoutTarget = 0;
  readonly commands: number[] = [];

  constructor(line: Pn532Line) {
    this.#line = line;
    line.onBytes(bytes => this.#take(bytes));
  }

  /** Power cycle: the module sleeps and has lost its configuration. */
  reset(): void {
    this.#received = [];
    this.#isAwake = false;
    this.#isConfigured = false;
    this.#selected = null;
  }

  #take(bytes: Uint8Array): void {
    if (!this.isPowered) return;
    this.#received.push(...bytes);
    if (!this.#isAwake && this.#received.includes(0x55)) this.#isAwake = true;
    if (!this.#isAwake) return;
    for (;;) {
      const start = this.#received.findIndex((_, at) => this.#received[at] === 0 && this.#received[at + 1] === 0xff);
      if (start < 0 || this.#received.length < start + 4) return;
      const length = this.#received[start + 2]!;
      const isNack = length === 0xff && this.#received[start + 3] === 0;
      const end = start + (isNack || length === 0 ? 5 : 5 + length + 1);
      if (this.#received.length < end) return;
      const frame = this.#received.slice(start + 2, end);
      this.#received = this.#received.slice(end);
      if (isNack) this.#send(this.#last);
      else if (length > 0) this.#command(frame);
    }
  }

  #command([length, check, ...rest]: readonly number[]): void {
    const content = rest.slice(0, length);
    const total = rest.slice(0, length! + 1).reduce((sum, byte) => sum + byte, 0);
    if (((length! + check!) & 0xff) !== 0 || (total & 0xff) !== 0 || content[0] !== 0xd4) {
      this.#write([0, 0, 0xff, 0xff, 0, 0]);
      return;
    }
    this.#write([0, 0, 0xff, 0, 0xff, 0]);
    this.commands.push(content[1]!);
    this.#send(this.#answer(content[1]!, content.slice(2)));
  }

  #answer(code: number, parameters: readonly number[]): Pn532Response {
    if (code === 0x14) {
      this.#isConfigured = true;
      return [0x15];
    }
    if (!this.#isConfigured) return [];
    // Diagnose: the test of the line returns its parameters.
    if (code === 0x00 && parameters[0] === 0) return [0x01, ...parameters];
    if (code === 0x02) return FIRMWARE;
    // ReadRegister, with two bytes for each address.
    if (code === 0x06) return [0x07, ...parameters.filter((_, at) => at % 2 === 1).map(() => 0)];
    if (SETTINGS.includes(code)) return [code + 1];
    if (code === 0x16) {
      this.#isAwake = false;
      return [0x17, 0x00];
    }
    // Only the first kind of target is simulated: type A at 106 kbit/s.
    if (code === 0x4a) return parameters[1] === 0 ? this.#list() : [0x4b, 0x00];
    if (code === 0x40) return this.#exchange(Uint8Array.from(parameters.slice(1)));
    if (code === 0x52) {
      if (this.#selected !== null) this.finishedReadings++;
      this.#selected = null;
      return [0x53, 0x00];
    }
    return [];
  }

  #list(): Pn532Response {
    this.#selected = this.target;
    if (this.target === null) {
      this.pollsWithoutTarget++;
      return [0x4b, 0x00];
    }
    this.pollsWithoutTarget = 0;
    const uid = [...Buffer.from(this.target.uid, 'hex')];
    const hasApdus = this.target.answer !== undefined;
    const ats = hasApdus ? [0x05, 0x78, 0x80, 0x70, 0x02] : [];
    return [
      0x4b,
      1,
      1,
      0x00,
      SENS_RES_OF_LENGTH[uid.length] ?? 0x04,
      hasApdus ? 0x20 : 0x08,
      uid.length,
      ...uid,
      ...ats,
    ];
  }

  #exchange(apdu: Uint8Array): Pn532Response {
    if (this.#selected?.answer === undefined || this.target !== this.#selected) return [0x41, 0x01];
    const answer = this.#selected.answer(apdu);
    return answer === null ? [0x41, 0x01] : [0x41, 0x00, ...answer];
  }

  /** Sends an error frame for an unknown command, which has an empty response. */
  #send(answer: Pn532Response): void {
    this.#last = answer;
    if (this.pollResponsesToDrop > 0 && answer[0] === 0x4b) {
      this.pollResponsesToDrop--;
      return;
    }
    const content = answer.length === 0 ? [0x7f] : [0xd5, ...answer];
    const sum = content.reduce((total, byte) => total + byte, 0);
    const check = (256 - (sum % 256)) % 256;
    const sentCheck = this.responsesToCorrupt > 0 ? check ^ 0x40 : check;
    if (this.responsesToCorrupt > 0) this.responsesToCorrupt--;
    this.#write([0, 0, 0xff, content.length, (256 - content.length) % 256, ...content, sentCheck, 0]);
  }

  #write(bytes: readonly number[]): void {
    this.#line.write(Uint8Array.from(bytes)).catch(() => undefined);
  }
}
