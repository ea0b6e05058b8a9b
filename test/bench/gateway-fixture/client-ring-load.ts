import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connectPacket, publishPackets, subscribePacket, forEachPacket } from './mqtt-packets.ts';

/*
 * Controllers in a ring: each sends to the next, and sends again when its message is acknowledged and has arrived. Packets
 * are prepared in advance, all sockets share one read buffer and writes are batched, so that the broker is the bottleneck.
 * Reads its settings from stdin and writes the result to stdout, as JSON.
 */

export interface RingClient {
  readonly clientId: string;
  readonly username: string | null;
  readonly password: string | null;
  readonly filter: string;
  readonly topic: string;
  /** The topic of messages from the previous client. */
  readonly receivedTopic: string;
  /** Base64. */
  readonly payload: string;
}

export interface RingLoadSettings {
  readonly port: number;
  /** Each sends to the next, the last to the first. */
  readonly members: readonly RingClient[];
  /** Messages of one client in flight. */
  readonly window: number;
  readonly warmUp_ms: number;
  readonly duration_ms: number;
}

export interface RingLoadResult {
  readonly per_second: number;
  readonly p99_ms: number;
}

const CONNACK = 2;
const PUBLISH = 3;
const PUBACK = 4;
const SUBACK = 9;
const READ_BYTES = 256 * 1024;

const latencies: number[] = [];
let isCounting = false;

/** Connections with data to write at the end of this event loop turn. */
let waiting: RingConnection[] = [];

const flush = (): void => {
  const connections = waiting;
  waiting = [];
  for (const connection of connections) connection.flush();
};

class RingConnection {
  readonly socket: Socket;
  readonly #packets: readonly Buffer[];
  readonly #sentAt: Float64Array;
  readonly #topicLength: number;
  #previous: RingConnection | null = null;
  #outgoing: Buffer[] = [];
  #rest: Buffer | null = null;
  #next = 0;
  #oldest = 0;
  /** Acknowledged messages minus arrived messages. */
  #acknowledgedAhead = 0;

  constructor(socket: Socket, { topic, receivedTopic, payload }: RingClient, window: number) {
    this.socket = socket;
    this.#packets = publishPackets(topic, Buffer.from(payload, 'base64'), window);
    this.#sentAt = new Float64Array(window);
    this.#topicLength = Buffer.byteLength(receivedTopic);
  }

  follow(previous: RingConnection): void {
    this.#previous = previous;
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
    const end = forEachPacket(whole, this.#take);
    // The shared read buffer is reused by the next socket.
    this.#rest = end === whole.length ? null : Buffer.from(whole.subarray(end));
  }

  readonly #take = (type: number, bytes: Buffer, start: number): void => {
    if (type === PUBACK) {
      if (this.#acknowledgedAhead++ < 0) this.send();
      return;
    }
    if (type !== PUBLISH) return;
    const length = bytes.readUInt16BE(start);
    const idAt = start + 2 + length;
    this.#queue(Buffer.from([PUBACK << 4, 2, bytes[idAt]!, bytes[idAt + 1]!]));
    // Ignores messages from the broker itself, which have topics of another length.
    if (length === this.#topicLength) this.#previous!.onArrival();
  };

  /** The oldest message in flight has arrived. */
  onArrival(): void {
    if (isCounting) latencies.push(performance.now() - this.#sentAt[this.#oldest]!);
    this.#oldest = (this.#oldest + 1) % this.#packets.length;
    if (this.#acknowledgedAhead-- > 0) this.send();
  }
}

const settings = JSON.parse(Buffer.concat(await process.stdin.toArray()).toString()) as RingLoadSettings;
const shared = Buffer.allocUnsafe(READ_BYTES);

/** Connects, logs in and subscribes. */
const join = async (member: RingClient): Promise<RingConnection> => {
  let read: (bytes: Buffer) => void = () => undefined;
  const socket = connect({
    port: settings.port,
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
    throw new Error(`${member.clientId} was disconnected`);
  });
  /** The start of the body of the next packet of this type. */
  const nextPacket = (expectedType: number): Promise<Buffer> =>
    new Promise(resolve => {
      read = bytes =>
        void forEachPacket(bytes, (type, whole, start) => {
          if (type === expectedType) resolve(Buffer.from(whole.subarray(start, start + 4)));
        });
    });
  await once(socket, 'connect');
  const connack = nextPacket(CONNACK);
  socket.write(connectPacket(member));
  const code = (await connack)[1];
  if (code !== 0) throw new Error(`${member.clientId} was refused: ${code}`);
  const granted = nextPacket(SUBACK);
  socket.write(subscribePacket(member.filter));
  if ((await granted)[2] !== 1) throw new Error(`${member.clientId} may not subscribe to ${member.filter}`);
  const connection = new RingConnection(socket, member, settings.window);
  read = bytes => connection.read(bytes);
  return connection;
};

const connections = await Promise.all(settings.members.map(join));
for (const [index, connection] of connections.entries()) connection.follow(connections.at(index - 1)!);
for (const connection of connections) for (let count = 0; count < settings.window; count++) connection.send();
await delay(settings.warmUp_ms);
isCounting = true;
const start = performance.now();
await delay(settings.duration_ms);
const seconds = (performance.now() - start) / 1000;
latencies.sort((a, b) => a - b);
const result: RingLoadResult = {
  per_second: latencies.length / seconds,
  p99_ms: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
};
process.stdout.write(JSON.stringify(result), () => process.exit(0));
