import { beforeMac, closeFrame, LineReader, type WireMessage } from './line-code.ts';
import { PanelParts } from './panel-parts.ts';
import { defaultKey, ReaderChannel } from './reader-channel.ts';

export interface Answer {
  readonly code: number;
  readonly data: Buffer;
}

const answer = (code: number, ...data: readonly number[]): Answer => ({ code, data: Buffer.from(data) });
const ack = answer(0x40);
const nak = (reason: number): Answer => answer(0x41, reason);

export interface PeripheralOptions {
  readonly address: number;
  /** Null: as it comes from the factory. */
  readonly key?: Buffer | null;
  readonly knowsSecureChannel?: boolean;
  readonly write: (bytes: Buffer) => void;
}

/** Commands that a reader with a key of its own takes outside a session: id, capabilities, challenge, cryptogram. */
const ALLOWED_IN_THE_CLEAR = [0x61, 0x62, 0x76, 0x77];

/** A reader with keypad at one address of the bus. It follows the standard's tables and nothing of the panel's code. */
export class SimulatedPeripheral {
  readonly parts = new PanelParts();
  /** Codes of the commands that were taken, and whether they came sealed. */
  readonly taken: { readonly code: number; readonly isSealed: boolean }[] = [];
  /** Every frame that was sent, for those who listen on the line. */
  readonly sent: Buffer[] = [];
  key: Buffer | null;
  isMute = false;
  busyAnswers = 0;
  /** Changes what goes out, as noise or a stranger on the line does. */
  tamperWith: (frame: Buffer) => readonly Buffer[] = frame => [frame];
  readonly #options: PeripheralOptions;
  readonly #line = new LineReader();
  readonly #events: Answer[] = [];
  #channel: ReaderChannel | null = null;
  #lastSequence: number | null = null;
  #lastFrame: Buffer | null = null;

  constructor(options: PeripheralOptions) {
    this.#options = options;
    this.key = options.key ?? null;
  }

  /** As after a brown-out: only the key outlives it. */
  restart(): void {
    this.#channel = null;
    this.#lastSequence = null;
    this.#lastFrame = null;
    this.#events.length = 0;
  }

  tap(bits: Buffer, bitCount: number = bits.length * 8, format = 0): void {
    this.#events.push({ code: 0x50, data: Buffer.concat([Buffer.of(0, format, bitCount % 256, bitCount >> 8), bits]) });
  }

  press(keys: string): void {
    const codes = Array.from(keys, key => ({ '*': 0x7f, '#': 0x0d })[key] ?? key.charCodeAt(0));
    this.#events.push(answer(0x53, 0, codes.length, ...codes));
  }

  say(event: Answer): void {
    this.#events.push(event);
  }

  move(input: number, value: number): void {
    if (this.parts.inputs[input] === value) return;
    this.parts.inputs[input] = value;
    this.#events.push(answer(0x49, ...this.parts.inputs));
  }

  open(isOpen: boolean): void {
    this.parts.tamper = isOpen ? 1 : 0;
    this.#events.push(answer(0x48, this.parts.tamper, this.parts.power));
  }

  get isIdle(): boolean {
    return this.#events.length === 0;
  }

  get hasSession(): boolean {
    return this.#channel?.isOpen === true;
  }

  hear(bytes: Uint8Array): void {
    for (const { message, frame } of this.#line.feed(bytes)) {
      if (message.isReply || message.address !== this.#options.address || this.isMute) continue;
      this.#respond(message, frame);
    }
  }

  #respond(message: WireMessage, frame: Buffer): void {
    if (this.busyAnswers > 0) {
      this.busyAnswers--;
      this.#send(this.#clear({ ...message, sequence: 0 }, answer(0x79)));
      return;
    }
    if (message.sequence === 0) this.#channel = null;
    else if (message.sequence === this.#lastSequence && this.#lastFrame !== null) {
      this.#send(this.#lastFrame);
      return;
    } else if (this.#lastSequence === null || message.sequence !== (this.#lastSequence % 3) + 1) {
      this.#send(this.#clear(message, nak(4)));
      return;
    }
    this.#lastSequence = message.sequence;
    this.#lastFrame = this.#reply(message, frame);
    this.#send(this.#lastFrame);
  }

  #send(frame: Buffer): void {
    this.sent.push(frame);
    for (const piece of this.tamperWith(frame)) this.#options.write(piece);
  }

  #clear(
    { address, sequence, usesCrc }: WireMessage,
    { code, data }: Answer,
    securityBlock: Buffer | null = null,
  ): Buffer {
    return closeFrame(beforeMac({ address, sequence, usesCrc, isReply: true, code, data, securityBlock }));
  }

  #reply(message: WireMessage, frame: Buffer): Buffer {
    const { address, sequence, usesCrc, code, securityBlock } = message;
    const type = securityBlock?.[0];
    if (type === 0x11) return this.#challenged(message);
    if (type === 0x13) return this.#proven(message);
    if (type === undefined) {
      if (this.hasSession) {
        this.#channel = null;
        return this.#clear(message, nak(5));
      }
      if (this.key !== null && !ALLOWED_IN_THE_CLEAR.includes(code)) return this.#clear(message, nak(6));
      this.taken.push({ code, isSealed: false });
      return this.#clear(message, this.#obey(code, message.data));
    }
    const data = this.hasSession ? this.#channel!.open(message, frame) : null;
    if (data === null) {
      this.#channel = null;
      return this.#clear(message, nak(5));
    }
    this.taken.push({ code, isSealed: true });
    const channel = this.#channel!;
    return channel.seal({ address, sequence, usesCrc, isReply: true, ...this.#obey(code, data) });
  }

  #challenged(message: WireMessage): Buffer {
    if (this.#options.knowsSecureChannel === false) return this.#clear(message, nak(3));
    const wantsDefault = message.securityBlock![1] === 0;
    if (wantsDefault !== (this.key === null)) return this.#clear(message, nak(5));
    const channel = new ReaderChannel(this.key ?? defaultKey, message.data);
    this.#channel = channel;
    const uniqueId = Buffer.from('0102030405060708', 'hex');
    const data = Buffer.concat([uniqueId, channel.readerRandom, channel.clientCryptogram()]);
    return this.#clear(message, { code: 0x76, data }, Buffer.of(0x12, wantsDefault ? 0 : 1));
  }

  #proven(message: WireMessage): Buffer {
    const initialMac = this.#channel?.accept(message.data) ?? null;
    if (initialMac === null) return this.#clear(message, { code: 0x78, data: Buffer.alloc(16) }, Buffer.of(0x14, 0xff));
    return this.#clear(message, { code: 0x78, data: initialMac }, Buffer.of(0x14, 0x01));
  }

  #obey(code: number, data: Buffer): Answer {
    switch (code) {
      case 0x60:
        return this.#events.shift() ?? ack;
      case 0x61:
        return answer(0x45, 0x00, 0x0e, 0xe3, 1, 2, 0x78, 0x56, 0x34, 0x12, 3, 4, 5);
      case 0x62:
        return answer(0x46, 1, 1, 4, 2, 2, 4, 3, 1, 0, 4, 4, 1, 5, 1, 1, 8, 1, 0, 9, 1, 1);
      case 0x64:
        return answer(0x48, this.parts.tamper, this.parts.power);
      case 0x65:
        return answer(0x49, ...this.parts.inputs);
      case 0x66:
        return answer(0x4a, ...this.parts.outputs.map(Number));
      case 0x67:
        return answer(0x4b, 0);
      case 0x68:
        if (!this.parts.control(data)) return nak(9);
        return answer(0x4a, ...this.parts.outputs.map(Number));
      case 0x69:
        this.parts.light(data);
        return ack;
      case 0x6a:
        this.parts.buzz(data);
        return ack;
      case 0x6b:
        this.parts.show(data);
        return ack;
      case 0x75:
        if (data.length !== 18 || data[0] !== 1 || data[1] !== 16) return nak(2);
        this.key = Buffer.from(data.subarray(2));
        return ack;
      default:
        return nak(3);
    }
  }
}
