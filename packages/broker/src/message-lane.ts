import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { BrokerLimits } from './broker-limits.ts';
import type { FlushQueue } from './flush-queue.ts';
import { PacketSplitter, type RawPacket } from './packet-splitter.ts';
import { isPlainPublish, PUBACK, pubackOf, type Publish, publishPacket, readPublish } from './publish-packet.ts';

/** The broker's own numbers begin below: what it sends by itself and what goes through the lane do not meet. */
const FIRST_ID = 0x8000;
const LAST_ID = 0xffff;
/** The rest of a packet: topic, identifiers, a will. */
const PACKET_OVERHEAD = 4096;

/** Takes a message, or refuses it, which ends the connection. */
type Receiver = (message: Publish) => boolean;

/**
 * One connection. The broker behind it shakes hands and keeps subscriptions; messages do not go through it, which makes
 * them several times as fast. They are acknowledged when they were taken, and what is sent is written once a turn.
 */
export class MessageLane extends Duplex {
  readonly socket: Socket;
  readonly #limits: BrokerLimits;
  readonly #flushes: FlushQueue;
  readonly #now: () => number;
  readonly #splitter: PacketSplitter;
  readonly #unacknowledged = new Set<number>();
  #receiver: Receiver | null = null;
  #acknowledgements: Buffer[] = [];
  #lastId = LAST_ID;
  #isCorked = false;
  #heardAt: number;
  #blockedSince: number | null = null;
  /** A connection that says nothing for longer is gone. Null: it need not say anything. */
  silence_ms: number | null = null;

  constructor(socket: Socket, limits: BrokerLimits, flushes: FlushQueue, now: () => number) {
    super();
    this.socket = socket;
    this.#limits = limits;
    this.#flushes = flushes;
    this.#now = now;
    this.#heardAt = now();
    this.#splitter = new PacketSplitter(limits.largestPayload + PACKET_OVERHEAD);
    socket.on('data', chunk => this.#arrived(chunk));
    socket.on('drain', () => {
      this.#blockedSince = null;
    });
    socket.on('end', () => this.push(null));
    socket.on('error', error => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  /** From now on messages come here and no more to the broker. */
  open(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  #arrived(chunk: Buffer): void {
    this.#heardAt = this.#now();
    const isReadable = this.#splitter.take(chunk, packet => this.#takePacket(packet));
    if (this.#acknowledgements.length > 0) {
      this.#write(Buffer.concat(this.#acknowledgements));
      this.#acknowledgements = [];
    }
    if (!isReadable) this.destroy();
  }

  #takePacket(packet: RawPacket): void {
    if (this.destroyed) return;
    if (this.#receiver === null || !this.#isMessage(packet, this.#receiver)) this.#handOver(packet.bytes);
  }

  /** True when it was a message, or the acknowledgement of one. */
  #isMessage(packet: RawPacket, receive: Receiver): boolean {
    if (packet.first >> 4 === PUBACK && packet.bytes.length === 4)
      return this.#unacknowledged.delete(packet.bytes.readUInt16BE(2));
    if (!isPlainPublish(packet.first)) return false;
    const message = readPublish(packet);
    if (message === null || !receive(message)) this.destroy();
    else if (message.id !== null) this.#acknowledgements.push(pubackOf(message.id));
    return true;
  }

  #handOver(bytes: Buffer): void {
    if (!this.push(bytes)) this.socket.pause();
  }

  override _read(): void {
    this.socket.resume();
  }

  /** `qos` 1: the client acknowledges it. False when the queue is full; the client is then disconnected. */
  send(head: Buffer, payload: Uint8Array, qos: 0 | 1): boolean {
    if (this.destroyed) return false;
    const id = qos === 0 ? null : this.#freeId();
    if (id === undefined) {
      this.destroy();
      return false;
    }
    this.#write(publishPacket(head, id, payload));
    return !this.destroyed;
  }

  /** Undefined when all are in use. */
  #freeId(): number | undefined {
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
      this.#flushes.add(this);
    }
    if (!socket.write(bytes)) this.#blockedSince ??= this.#now();
    if (socket.writableLength > this.#limits.mostQueuedBytes) this.destroy();
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
    // The last word, such as why somebody is not let in, still goes out.
    this.flush();
    this.socket.destroy();
    done(error);
  }

  get queuedBytes(): number {
    return this.socket.writableLength;
  }

  /** Neither silent for too long nor taking nothing for too long. */
  isAlive(): boolean {
    const now = this.#now();
    if (this.silence_ms !== null && now - this.#heardAt > this.silence_ms) return false;
    return this.#blockedSince === null || now - this.#blockedSince <= this.#limits.stalledMs;
  }
}
