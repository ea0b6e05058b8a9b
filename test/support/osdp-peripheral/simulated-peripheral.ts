import { encodeUpToMac, appendChecksum, OsdpFrameReader, type OsdpWireMessage } from './osdp-frames.ts';
import { PeripheralParts } from './peripheral-parts.ts';
import { installationKey, PeripheralSecureChannel } from './peripheral-secure-channel.ts';

export interface PeripheralReply {
  readonly code: number;
  readonly data: Buffer;
}

const reply = (code: number, ...data: readonly number[]): PeripheralReply => ({ code, data: Buffer.from(data) });
const ack = reply(0x40);
const nak = (reason: number): PeripheralReply => reply(0x41, reason);

export interface PeripheralOptions {
  readonly address: number;
  /** Null: the installation key from the factory. */
  readonly key?: Buffer | null;
  readonly supportsSecureChannel?: boolean;
  readonly write: (bytes: Buffer) => void;
}

/** Commands that a paired reader accepts outside a session: id, capabilities, challenge, cryptogram. */
const ALLOWED_UNENCRYPTED = [0x61, 0x62, 0x76, 0x77];

/** Readers with keypads at one address of the bus, written from the standard. Shares no code with the driver under test. */
export class SimulatedPeripheral {
  readonly parts = new PeripheralParts();
  /** The executed commands. */
  readonly receivedCommands: { readonly code: number; readonly isEncrypted: boolean }[] = [];
  /** Every frame that the peripheral has sent. */
  readonly sent: Buffer[] = [];
  key: Buffer | null;
  /** Handshakes that the panel has begun. */
  challenges = 0;
  isSilent = false;
  busyReplies = 0;
  /** Commands that are refused, with the reason. */
  readonly refusals = new Map<number, number>();
  /** Sends the local status in the block type of a command, unencrypted. */
  usesCommandBlock = false;
  /** Answers a command in wrong sequence with the number of a new sequence. */
  restartsSequence = false;
  /** Replaces an outgoing frame, to simulate noise or an attacker on the line. */
  modifyFrame: (frame: Buffer) => readonly Buffer[] = frame => [frame];
  /** Changes after the reply to COMSET. */
  address: number;
  baudRate = 9600;
  readonly #options: PeripheralOptions;
  readonly #line = new OsdpFrameReader();
  readonly #events: PeripheralReply[] = [];
  #channel: PeripheralSecureChannel | null = null;
  #lastSequence: number | null = null;
  #lastFrame: Buffer | null = null;

  constructor(options: PeripheralOptions) {
    this.#options = options;
    this.address = options.address;
    this.key = options.key ?? null;
  }

  /** Simulates a brown-out, which only the key survives. */
  restart(): void {
    this.#channel = null;
    this.#lastSequence = null;
    this.#lastFrame = null;
    this.#events.length = 0;
  }

  tap(bits: Buffer, bitCount: number = bits.length * 8, format = 0, reader = 0): void {
    const head = Buffer.of(reader, format, bitCount % 256, bitCount >> 8);
    this.#events.push({ code: 0x50, data: Buffer.concat([head, bits]) });
  }

  press(keys: string, reader = 0): void {
    const codes = Array.from(keys, key => ({ '*': 0x7f, '#': 0x0d })[key] ?? key.charCodeAt(0));
    this.#events.push(reply(0x53, reader, codes.length, ...codes));
  }

  queueEvent(event: PeripheralReply): void {
    this.#events.push(event);
  }

  setInput(input: number, value: number): void {
    if (this.parts.inputs[input] === value) return;
    this.parts.inputs[input] = value;
    this.#events.push(reply(0x49, ...this.parts.inputs));
  }

  setTamper(isOpen: boolean): void {
    this.parts.tamper = isOpen ? 1 : 0;
    this.#events.push(reply(0x48, this.parts.tamper, this.parts.power));
  }

  get isIdle(): boolean {
    return this.#events.length === 0;
  }

  get hasSession(): boolean {
    return this.#channel?.isOpen === true;
  }

  receive(bytes: Uint8Array): void {
    for (const { message, frame } of this.#line.feed(bytes)) {
      if (message.isReply || message.address !== this.address || this.isSilent) continue;
      this.#respond(message, frame);
    }
  }

  #respond(message: OsdpWireMessage, frame: Buffer): void {
    if (this.busyReplies > 0) {
      this.busyReplies--;
      this.#send(this.#unencryptedReply({ ...message, sequence: 0 }, reply(0x79)));
      return;
    }
    if (message.sequence === 0) this.#channel = null;
    else if (message.sequence === this.#lastSequence && this.#lastFrame !== null) {
      this.#send(this.#lastFrame);
      return;
    } else if (this.#lastSequence === null || message.sequence !== (this.#lastSequence % 3) + 1) {
      const sequence = this.restartsSequence ? 0 : message.sequence;
      this.#send(this.#unencryptedReply({ ...message, sequence }, nak(4)));
      return;
    }
    this.#lastSequence = message.sequence;
    this.#lastFrame = this.#reply(message, frame);
    this.#send(this.#lastFrame);
  }

  #send(frame: Buffer): void {
    this.sent.push(frame);
    for (const piece of this.modifyFrame(frame)) this.#options.write(piece);
  }

  #unencryptedReply(
    { address, sequence, usesCrc }: OsdpWireMessage,
    { code, data }: PeripheralReply,
    securityBlock: Buffer | null = null,
  ): Buffer {
    return appendChecksum(encodeUpToMac({ address, sequence, usesCrc, isReply: true, code, data, securityBlock }));
  }

  #reply(message: OsdpWireMessage, frame: Buffer): Buffer {
    const { address, sequence, usesCrc, code, securityBlock } = message;
    const type = securityBlock?.[0];
    if (type === 0x11) return this.#replyToChallenge(message);
    if (type === 0x13) return this.#replyToCryptogram(message);
    if (type === undefined) {
      if (this.hasSession) {
        this.#channel = null;
        return this.#unencryptedReply(message, nak(5));
      }
      if (this.key !== null && !ALLOWED_UNENCRYPTED.includes(code)) return this.#unencryptedReply(message, nak(6));
      this.receivedCommands.push({ code, isEncrypted: false });
      return this.#unencryptedReply(message, this.#execute(code, message.data));
    }
    const data = this.hasSession ? this.#channel!.decrypt(message, frame) : null;
    if (data === null) {
      this.#channel = null;
      return this.#unencryptedReply(message, nak(5));
    }
    this.receivedCommands.push({ code, isEncrypted: true });
    const channel = this.#channel!;
    const blockType = this.usesCommandBlock && code === 0x64 ? 0x15 : null;
    return channel.encrypt({ address, sequence, usesCrc, isReply: true, ...this.#execute(code, data) }, blockType);
  }

  #replyToChallenge(message: OsdpWireMessage): Buffer {
    this.challenges++;
    if (this.#options.supportsSecureChannel === false) return this.#unencryptedReply(message, nak(3));
    const usesInstallationKey = message.securityBlock![1] === 0;
    if (usesInstallationKey !== (this.key === null)) return this.#unencryptedReply(message, nak(5));
    const channel = new PeripheralSecureChannel(this.key ?? installationKey, message.data);
    this.#channel = channel;
    const uniqueId = Buffer.from('0102030405060708', 'hex');
    const data = Buffer.concat([uniqueId, channel.readerRandom, channel.clientCryptogram()]);
    return this.#unencryptedReply(message, { code: 0x76, data }, Buffer.of(0x12, usesInstallationKey ? 0 : 1));
  }

  #replyToCryptogram(message: OsdpWireMessage): Buffer {
    const initialMac = this.#channel?.accept(message.data) ?? null;
    if (initialMac === null)
      return this.#unencryptedReply(message, { code: 0x78, data: Buffer.alloc(16) }, Buffer.of(0x14, 0xff));
    return this.#unencryptedReply(message, { code: 0x78, data: initialMac }, Buffer.of(0x14, 0x01));
  }

  #execute(code: number, data: Buffer): PeripheralReply {
    const refusal = this.refusals.get(code);
    if (refusal !== undefined) return nak(refusal);
    switch (code) {
      case 0x60:
        return this.#events.shift() ?? ack;
      case 0x61:
        return reply(0x45, 0x00, 0x0e, 0xe3, 1, 2, 0x78, 0x56, 0x34, 0x12, 3, 4, 5);
      case 0x62:
        return reply(0x46, 1, 1, 4, 2, 2, 4, 3, 1, 0, 4, 4, 1, 5, 1, 1, 8, 1, 0, 9, 1, 1);
      case 0x64:
        return reply(0x48, this.parts.tamper, this.parts.power);
      case 0x65:
        return reply(0x49, ...this.parts.inputs);
      case 0x66:
        return reply(0x4a, ...this.parts.outputs.map(Number));
      case 0x67:
        return reply(0x4b, 0);
      case 0x68:
        if (!this.parts.setOutputs(data)) return nak(9);
        return reply(0x4a, ...this.parts.outputs.map(Number));
      case 0x69:
        this.parts.setLeds(data);
        return ack;
      case 0x6a:
        this.parts.setBuzzer(data);
        return ack;
      case 0x6b:
        this.parts.setText(data);
        return ack;
      case 0x6e:
        this.address = data[0]!;
        this.baudRate = data.readUInt32LE(1);
        return reply(0x54, ...data);
      case 0x75:
        if (data.length !== 18 || data[0] !== 1 || data[1] !== 16) return nak(2);
        this.key = Buffer.from(data.subarray(2));
        return ack;
      default:
        return nak(3);
    }
  }
}
