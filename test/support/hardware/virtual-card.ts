import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Responds to one command of the reader. */
export type RespondToApdu = (apdu: Uint8Array) => Uint8Array;

/** Identifies a storage card, such as Mifare or NTAG. */
export const STORAGE_CARD_ATR = '3b8f8001804f0ca000000306030001000000006a';
/** Identifies a card with a processor, such as a phone or DESFire. */
export const PROCESSOR_CARD_ATR = '3b80800101';

const POWER_OFF = 0;
const POWER_ON = 1;
const RESET = 2;
const SEND_ATR = 4;
const LENGTH_BYTES = 2;

const framed = (payload: Uint8Array): Buffer => {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(payload.length);
  return Buffer.concat([length, payload]);
};

/** A card in the virtual reader of vsmartcard, over TCP. Each message has a length prefix of two bytes. */
export class VirtualCard {
  readonly #socket: Socket;
  readonly #atr: Buffer;
  readonly #answer: RespondToApdu;
  /** The received commands, in hex. */
  readonly receivedCommands: string[] = [];
  #pending = Buffer.alloc(0);

  private constructor(socket: Socket, atr: string, answer: RespondToApdu) {
    this.#socket = socket;
    this.#atr = Buffer.from(atr, 'hex');
    this.#answer = answer;
    socket.on('data', bytes => this.#take(bytes));
    socket.on('error', () => undefined);
  }

  static async insert(port: number, atr: string, answer: RespondToApdu): Promise<VirtualCard> {
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
      this.#receive(message);
    }
  }

  #receive(message: Buffer): void {
    if (message.length !== 1) {
      this.receivedCommands.push(message.toString('hex'));
      this.#socket.write(framed(this.#answer(message)));
      return;
    }
    const [control] = message;
    if (control === SEND_ATR) this.#socket.write(framed(this.#atr));
    else if (control !== POWER_OFF && control !== POWER_ON && control !== RESET)
      throw new Error(`Unsupported control code ${control}`);
  }

  async remove(): Promise<void> {
    if (this.#socket.closed) return;
    const closed = once(this.#socket, 'close');
    this.#socket.destroy();
    await closed;
  }
}

const GET_UID = 'ffca000000';

/** A card that has only a UID. */
export const respondWithUid =
  (uid: string, status = '9000'): RespondToApdu =>
  apdu =>
    Buffer.from(Buffer.from(apdu).toString('hex') === GET_UID ? uid + status : '6a82', 'hex');
