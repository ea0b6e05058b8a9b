import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { BrokerLimits } from './broker-limits.ts';
import type { FlushQueue } from './broker-stream-flush-queue.ts';
import { PacketSplitter, type RawPacket } from './packet-splitter.ts';
import {
  isPlainPublishPacket,
  PUBACK_PACKET_TYPE,
  encodePuback,
  type ParsedPublishPacket,
  encodePublishPacket,
  parsePublishPacket,
} from './publish-and-puback-packets.ts';

/** aedes uses smaller packet ids for its own messages. */
const FIRST_ID = 0x8000;
const LAST_ID = 0xffff;
/** The rest of a packet: topic, identifiers, a will. */
const PACKET_OVERHEAD = 4096;

/** Returns false to reject the message, which closes the connection. */
type Receiver = (message: ParsedPublishPacket) => boolean;

/**
 * The stream between a socket and aedes. Published messages bypass aedes, which makes them several times faster: the stream passes them
 * to its receiver, acknowledges them, and flushQueue outgoing messages once per turn of the event loop.
 */
export class BrokerConnectionStream extends Duplex {
  readonly socket: Socket;
  readonly #limits: BrokerLimits;
  readonly #flushQueue: FlushQueue;
  readonly #now: () => number;
  readonly #splitter: PacketSplitter;
  readonly #unacknowledged = new Set<number>();
  #receiver: Receiver | null = null;
  #acknowledgements: Buffer[] = [];
  #lastId = LAST_ID;
  #isCorked = false;
  #receivedAt: number;
  #blockedSince: number | null = null;
  /** A connection without data for longer is dead. Null for no limit. */
  maxSilenceMs: number | null = null;

  constructor(socket: Socket, limits: BrokerLimits, flushQueue: FlushQueue, now: () => number) {
    super();
    this.socket = socket;
    this.#limits = limits;
    this.#flushQueue = flushQueue;
    this.#now = now;
    this.#receivedAt = now();
    this.#splitter = new PacketSplitter(limits.maxPayloadBytes + PACKET_OVERHEAD);
    socket.on('data', chunk => this.#receive(chunk));
    socket.on('drain', () => {
      this.#blockedSince = null;
    });
    socket.on('end', () => this.push(null));
    socket.on('error', error => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** Passes messages to `receiver` instead of aedes from now on. */
  open(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  #receive(chunk: Buffer): void {
    this.#receivedAt = this.#now();
    const isReadable = this.#splitter.push(chunk, packet => this.#handlePacket(packet));
    if (this.#acknowledgements.length > 0) {
      this.#write(Buffer.concat(this.#acknowledgements));
      this.#acknowledgements = [];
    }
    if (!isReadable) this.destroy();
  }

  #handlePacket(packet: RawPacket): void {
    if (this.destroyed) return;
    if (this.#receiver === null || !this.#handleMessage(packet, this.#receiver)) this.#passToAedes(packet.bytes);
  }

  /** True for a message and for the acknowledgement of one. */
  #handleMessage(packet: RawPacket, receive: Receiver): boolean {
    if (packet.first >> 4 === PUBACK_PACKET_TYPE && packet.bytes.length === 4)
      return this.#unacknowledged.delete(packet.bytes.readUInt16BE(2));
    if (!isPlainPublishPacket(packet.first)) return false;
    const message = parsePublishPacket(packet);
    if (message === null || !receive(message)) this.destroy();
    else if (message.id !== null) this.#acknowledgements.push(encodePuback(message.id));
    return true;
  }

  #passToAedes(bytes: Buffer): void {
    if (!this.push(bytes)) this.socket.pause();
  }

  override _read(): void {
    this.socket.resume();
  }

  /** False when the queue is full. The client is then disconnected. */
  send(head: Buffer, payload: Uint8Array, qos: 0 | 1): boolean {
    if (this.destroyed) return false;
    const id = qos === 0 ? null : this.#allocateId();
    if (id === undefined) {
      this.destroy();
      return false;
    }
    this.#write(encodePublishPacket(head, id, payload));
    return !this.destroyed;
  }

  /** Undefined when all are in use. */
  #allocateId(): number | undefined {
    if (this.#unacknowledged.size > LAST_ID - FIRST_ID) return undefined;
    do this.#lastId = this.#lastId === LAST_ID ? FIRST_ID : this.#lastId + 1;
    while (this.#unacknowledged.has(this.#lastId));
    this.#unacknowledged.add(this.#lastId);
    return this.#lastId;
  }

  #write(bytes: Uint8Array): void {
    const { socket } = this;
    if (!this.#isCorked) {
      this.#isCorked = true;
      socket.cork();
      this.#flushQueue.add(this);
    }
    if (!socket.write(bytes)) this.#blockedSince ??= this.#now();
    if (socket.writableLength > this.#limits.maxQueuedBytes) this.destroy();
  }

  flush(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.socket.uncork();
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#write(chunk);
    done();
  }

  override _final(done: () => void): void {
    this.socket.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // Sends the last packet, such as the reason for a rejected connection.
    this.flush();
    this.socket.destroy();
    done(error);
  }

  /** False when the connection was silent or stalled for too long. */
  isAlive(): boolean {
    const now = this.#now();
    if (this.maxSilenceMs !== null && now - this.#receivedAt > this.maxSilenceMs) return false;
    return this.#blockedSince === null || now - this.#blockedSince <= this.#limits.stallTimeoutMs;
  }
}
