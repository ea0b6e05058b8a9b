import { connect, type Socket } from 'node:net';

const CONNECT = 0x10;
const PUBLISH = 3;
const PUBACK = 0x40;
const SUBSCRIBE = 0x82;

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
};

const packet = (type: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length: number[] = [];
  let rest = body.length;
  do {
    length.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Buffer.concat([Buffer.from([type, ...length]), body]);
};

/** Just enough of MQTT 3.1.1 for a controller, so that a thousand of them in one process are not what is measured. */
export class ThinClient {
  readonly #socket: Socket;
  readonly #onMessage: (topic: string, payload: Buffer) => void;
  readonly #waiting: Array<() => void> = [];
  #rest: Buffer = Buffer.alloc(0);
  #id = 1;

  constructor(port: number, onMessage: (topic: string, payload: Buffer) => void) {
    this.#onMessage = onMessage;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', chunk => this.#read(chunk));
    this.#socket.on('error', () => undefined);
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  #answered(): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push(resolve);
    });
  }

  async open(name: string, password: string, filters: readonly string[]): Promise<void> {
    const flags = Buffer.from([4, 0xc2, 0, 0]);
    this.#socket.write(packet(CONNECT, text('MQTT'), flags, text(name), text(name), text(password)));
    await this.#answered();
    const wanted = filters.flatMap(filter => [text(filter), Buffer.from([1])]);
    this.#socket.write(packet(SUBSCRIBE, Buffer.from([0, 1]), ...wanted));
    await this.#answered();
  }

  publish(topic: string, payload: Uint8Array): void {
    this.#id = (this.#id % 60_000) + 2;
    this.#socket.write(packet(0x32, text(topic), Buffer.from([this.#id >> 8, this.#id & 0xff]), payload));
  }

  #read(chunk: Buffer): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      let [length, shift, at] = [0, 0, 1];
      while (at < bytes.length && at < 5) {
        length |= (bytes[at]! & 0x7f) << shift;
        shift += 7;
        if (bytes[at++]! < 0x80) break;
      }
      if (bytes.length < 2 || bytes[at - 1]! >= 0x80 || bytes.length < at + length) break;
      this.#take(bytes[0]!, bytes.subarray(at, at + length));
      bytes = bytes.subarray(at + length);
    }
    this.#rest = Buffer.from(bytes);
  }

  #take(type: number, body: Buffer): void {
    if (type >> 4 !== PUBLISH) {
      if (type !== PUBACK) this.#waiting.shift()?.();
      return;
    }
    const end = 2 + body.readUInt16BE(0);
    const isNumbered = (type & 0x06) !== 0;
    if (isNumbered) this.#socket.write(packet(PUBACK, body.subarray(end, end + 2)));
    this.#onMessage(body.toString('utf8', 2, end), body.subarray(end + (isNumbered ? 2 : 0)));
  }

  close(): void {
    this.#socket.destroy();
  }
}
