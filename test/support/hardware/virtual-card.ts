import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** What a card says to one command. */
export type AnswerApdu = (apdu: Uint8Array) => Uint8Array;

/** Taken for a storage card: a Mifare or an NTAG. */
export const STORAGE_CARD_ATR = '3b8f8001804f0ca000000306030001000000006a';
/** Taken for a card with a processor: a phone, a DESFire. */
export const PROCESSOR_CARD_ATR = '3b80800101';

const POWER_OFF = 0;
const POWER_ON = 1;
const RESET = 2;
const SEND_ATR = 4;
const LENGTH_BYTES = 2;
const QUIET_MS = 500;

const framed = (payload: Uint8Array): Buffer => {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(payload.length);
  return Buffer.concat([length, payload]);
};

/** A card on the virtual reader of vsmartcard: a TCP client that is asked with lengths of two bytes before each message. */
export class VirtualCard {
  readonly #socket: Socket;
  readonly #atr: Buffer;
  readonly #answer: AnswerApdu;
  /** The commands that it was sent, in hex. */
  readonly heard: string[] = [];
  #pending = Buffer.alloc(0);

  private constructor(socket: Socket, atr: string, answer: AnswerApdu) {
    this.#socket = socket;
    this.#atr = Buffer.from(atr, 'hex');
    this.#answer = answer;
    socket.on('data', bytes => this.#take(bytes));
    socket.on('error', () => undefined);
  }

  static async insert(port: number, atr: string, answer: AnswerApdu): Promise<VirtualCard> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new VirtualCard(socket, atr, answer);
  }

  #take(bytes: Buffer): void {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    while (this.#pending.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + this.#pending.readUInt16BE();
      if (this.#pending.length < end) return;
      const message = this.#pending.subarray(LENGTH_BYTES, end);
      this.#pending = this.#pending.subarray(end);
      this.#hear(message);
    }
  }

  #hear(message: Buffer): void {
    if (message.length !== 1) {
      this.heard.push(message.toString('hex'));
      this.#socket.write(framed(this.#answer(message)));
      return;
    }
    const [control] = message;
    if (control === SEND_ATR) this.#socket.write(framed(this.#atr));
    else if (control !== POWER_OFF && control !== POWER_ON && control !== RESET)
      throw new Error(`the reader asks for ${control}`);
  }

  /** Resolves when it has not been asked anything for a while. */
  async quiet(): Promise<void> {
    for (let heard = -1; heard !== this.heard.length; await setTimeout(QUIET_MS)) heard = this.heard.length;
  }

  async remove(): Promise<void> {
    if (this.#socket.closed) return;
    const closed = once(this.#socket, 'close');
    this.#socket.destroy();
    await closed;
  }
}

const GET_UID = 'ffca000000';

/** A card with nothing but a uid. */
export const answersUid =
  (uid: string, status = '9000'): AnswerApdu =>
  apdu =>
    Buffer.from(Buffer.from(apdu).toString('hex') === GET_UID ? uid + status : '6a82', 'hex');
