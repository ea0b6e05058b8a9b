import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectPacket, publishPackets, subscribePacket, packetsIn } from './raw-packets.ts';

/*
 * Controllers in a ring: each sends to the next, and sends again when its message was acknowledged and has arrived. All
 * packets are made before the clock runs, all sockets are read into one buffer and what is to be sent is written once a
 * turn, so that the broker is what is measured. Reads its order from standard input and writes what it measured to
 * standard output, as JSON.
 */

export interface RingMember {
  readonly clientId: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly filter: string;
  readonly topic: string;
  /** As which the message of the one before arrives. */
  readonly hears: string;
  /** In base64. */
  readonly payload: string;
}

export interface RingOrder {
  readonly port: number;
  /** Each sends to the one behind it, the last to the first. */
  readonly members: readonly RingMember[];
  /** Messages of one member on their way. */
  readonly window: number;
  readonly warmUp_ms: number;
  readonly duration_ms: number;
}

export interface RingResult {
  readonly per_second: number;
  readonly p99_ms: number;
}

const CONNACK = 2;
const PUBLISH = 3;
const PUBACK = 4;
const SUBACK = 9;
const READ_BYTES = 256 * 1024;

const took: number[] = [];
let isCounting = false;

/** Those that have something to write at the end of this turn. */
let waiting: Station[] = [];

const flush = (): void => {
  const those = waiting;
  waiting = [];
  for (const station of those) station.flush();
};

class Station {
  readonly socket: Socket;
  readonly #packets: readonly Buffer[];
  readonly #sentAt: Float64Array;
  readonly #topicLength: number;
  #before: Station | null = null;
  #outgoing: Buffer[] = [];
  #rest: Buffer | null = null;
  #next = 0;
  #oldest = 0;
  /** Acknowledged but not arrived, or the other way round below zero. */
  #ahead = 0;

  constructor(socket: Socket, { topic, hears, payload }: RingMember, window: number) {
    this.socket = socket;
    this.#packets = publishPackets(topic, Buffer.from(payload, 'base64'), window);
    this.#sentAt = new Float64Array(window);
    this.#topicLength = Buffer.byteLength(hears);
  }

  behind(before: Station): void {
    this.#before = before;
  }

  send(): void {
    this.#sentAt[this.#next] = performance.now();
    this.#queue(this.#packets[this.#next]!);
    this.#next = (this.#next + 1) % this.#packets.length;
  }

  #queue(bytes: Buffer): void {
    if (this.#outgoing.push(bytes) > 1) return;
    if (waiting.push(this) === 1) setImmediate(flush);
  }

  flush(): void {
    this.socket.write(this.#outgoing.length === 1 ? this.#outgoing[0]! : Buffer.concat(this.#outgoing));
    this.#outgoing = [];
  }

  read(bytes: Buffer): void {
    const whole = this.#rest === null ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = packetsIn(whole, this.#take);
    // The buffer is used again for whoever is read next.
    this.#rest = end === whole.length ? null : Buffer.from(whole.subarray(end));
  }

  readonly #take = (type: number, bytes: Buffer, start: number): void => {
    if (type === PUBACK) {
      if (this.#ahead++ < 0) this.send();
      return;
    }
    if (type !== PUBLISH) return;
    const length = bytes.readUInt16BE(start);
    const idAt = start + 2 + length;
    this.#queue(Buffer.from([PUBACK << 4, 2, bytes[idAt]!, bytes[idAt + 1]!]));
    // What a broker says by itself is none of them.
    if (length === this.#topicLength) this.#before!.arrived();
  };

  /** The oldest of those under way has arrived. */
  arrived(): void {
    if (isCounting) took.push(performance.now() - this.#sentAt[this.#oldest]!);
    this.#oldest = (this.#oldest + 1) % this.#packets.length;
    if (this.#ahead-- > 0) this.send();
  }
}

const order = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString()) as RingOrder;
const shared = Buffer.allocUnsafe(READ_BYTES);

/** Connected, let in and subscribed. */
const joined = async (member: RingMember): Promise<Station> => {
  let read: (bytes: Buffer) => void = () => undefined;
  const socket = connect({
    port: order.port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: shared,
      callback: count => {
        read(shared.subarray(0, count));
        return true;
      },
    },
  });
  socket.once('close', () => {
    throw new Error(`${member.clientId} was cut off`);
  });
  /** The first packet of the type that comes: its bytes behind the length. */
  const answer = (wanted: number): Promise<Buffer> =>
    new Promise(resolve => {
      read = bytes =>
        void packetsIn(bytes, (type, whole, start) => {
          if (type === wanted) resolve(Buffer.from(whole.subarray(start, start + 4)));
        });
    });
  await once(socket, 'connect');
  const welcome = answer(CONNACK);
  socket.write(connectPacket(member));
  const code = (await welcome)[1];
  if (code !== 0) throw new Error(`${member.clientId} was not let in: ${code}`);
  const granted = answer(SUBACK);
  socket.write(subscribePacket(member.filter));
  if ((await granted)[2] !== 1) throw new Error(`${member.clientId} may not subscribe to ${member.filter}`);
  const station = new Station(socket, member, order.window);
  read = bytes => station.read(bytes);
  return station;
};

const stations = await Promise.all(order.members.map(joined));
for (const [index, station] of stations.entries()) station.behind(stations.at(index - 1)!);
for (const station of stations) for (let count = 0; count < order.window; count++) station.send();
await delay(order.warmUp_ms);
isCounting = true;
const start = performance.now();
await delay(order.duration_ms);
const seconds = (performance.now() - start) / 1000;
took.sort((a, b) => a - b);
const result: RingResult = {
  per_second: took.length / seconds,
  p99_ms: took[Math.floor(took.length * 0.99)] ?? 0,
};
process.stdout.write(JSON.stringify(result), () => process.exit(0));
