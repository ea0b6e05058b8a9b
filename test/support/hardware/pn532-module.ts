import type { Pty } from '../processes/pty.ts';

/** A card or phone in the field of the module. */
export interface ModuleTarget {
  readonly uid: string;
  /** Answers APDUs, or with null lets the field's time run out; absent for a card that knows none. */
  readonly answer?: (apdu: Uint8Array) => Uint8Array | null;
}

type Answer = readonly number[];

const FIRMWARE: Answer = [0x03, 0x32, 0x01, 0x06, 0x07];
const SENS_RES_OF_LENGTH: Readonly<Record<number, number>> = { 4: 0x04, 7: 0x44, 10: 0x84 };

/**
 * A PN532 on the far end of a serial line, after the tables of its user manual. Shares nothing with the firmware's codec:
 * it looks for `00 00 FF`, adds up, and answers.
 */
export class Pn532Module {
  readonly #pty: Pty;
  #heard: number[] = [];
  #isAwake = false;
  #isConfigured = false;
  #last: Answer = [];
  #selected: ModuleTarget | null = null;
  isPowered = true;
  target: ModuleTarget | null = null;
  /** How many answers are yet to be spoilt on the way. */
  spoil = 0;
  /** How many answers to looks for cards are yet to be lost on the way. */
  lose = 0;
  /** How many looks for cards found one, how many found none since. */
  found = 0;
  empty = 0;
  readonly commands: number[] = [];

  constructor(pty: Pty) {
    this.#pty = pty;
    pty.onBytes(bytes => this.#take(bytes));
  }

  /** As after a new plug: asleep and forgetful. */
  reset(): void {
    this.#heard = [];
    this.#isAwake = false;
    this.#isConfigured = false;
    this.#selected = null;
  }

  #take(bytes: Uint8Array): void {
    if (!this.isPowered) return;
    this.#heard.push(...bytes);
    if (!this.#isAwake && this.#heard.includes(0x55)) this.#isAwake = true;
    if (!this.#isAwake) return;
    for (;;) {
      const start = this.#heard.findIndex((_, at) => this.#heard[at] === 0 && this.#heard[at + 1] === 0xff);
      if (start < 0 || this.#heard.length < start + 4) return;
      const length = this.#heard[start + 2]!;
      const isNack = length === 0xff && this.#heard[start + 3] === 0;
      const end = start + (isNack || length === 0 ? 5 : 5 + length + 1);
      if (this.#heard.length < end) return;
      const frame = this.#heard.slice(start + 2, end);
      this.#heard = this.#heard.slice(end);
      if (isNack) this.#say(this.#last);
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
    this.#say(this.#answer(content[1]!, content.slice(2)));
  }

  #answer(code: number, parameters: readonly number[]): Answer {
    if (code === 0x14) {
      this.#isConfigured = true;
      return [0x15];
    }
    if (!this.#isConfigured) return [];
    if (code === 0x02) return FIRMWARE;
    if (code === 0x32) return [0x33];
    if (code === 0x4a) return this.#list();
    if (code === 0x40) return this.#exchange(Uint8Array.from(parameters.slice(1)));
    if (code === 0x52) {
      this.#selected = null;
      return [0x53, 0x00];
    }
    return [];
  }

  #list(): Answer {
    this.#selected = this.target;
    if (this.target === null) {
      this.empty++;
      return [0x4b, 0x00];
    }
    this.found++;
    this.empty = 0;
    const uid = [...Buffer.from(this.target.uid, 'hex')];
    const speaks = this.target.answer !== undefined;
    const ats = speaks ? [0x05, 0x78, 0x80, 0x70, 0x02] : [];
    return [0x4b, 1, 1, 0x00, SENS_RES_OF_LENGTH[uid.length] ?? 0x04, speaks ? 0x20 : 0x08, uid.length, ...uid, ...ats];
  }

  #exchange(apdu: Uint8Array): Answer {
    if (this.#selected?.answer === undefined || this.target !== this.#selected) return [0x41, 0x01];
    const answer = this.#selected.answer(apdu);
    return answer === null ? [0x41, 0x01] : [0x41, 0x00, ...answer];
  }

  /** Without anything to say it is a command it does not know. */
  #say(answer: Answer): void {
    this.#last = answer;
    if (this.lose > 0 && answer[0] === 0x4b) {
      this.lose--;
      return;
    }
    const content = answer.length === 0 ? [0x7f] : [0xd5, ...answer];
    const sum = content.reduce((total, byte) => total + byte, 0);
    const check = (256 - (sum % 256)) % 256;
    const spoilt = this.spoil > 0 ? check ^ 0x40 : check;
    if (this.spoil > 0) this.spoil--;
    this.#write([0, 0, 0xff, content.length, (256 - content.length) % 256, ...content, spoilt, 0]);
  }

  #write(bytes: readonly number[]): void {
    this.#pty.write(Uint8Array.from(bytes)).catch(() => undefined);
  }
}
