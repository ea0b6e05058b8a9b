import type { Socket } from 'node:net';
import { PacketSplitter, type RawPacket } from '@lintel/broker/packet-splitter';
import {
  isPlainPublish,
  PUBACK,
  pubackOf,
  publishHead,
  publishPacket,
  readPublish,
} from '@lintel/broker/publish-packet';
import { connectPacket, PING, subscribePacket, type Will } from './mqtt-packets.ts';

const CONNACK = 2;
const SUBACK = 9;
const REFUSED_SUBSCRIPTION = 0x80;
const LARGEST_PACKET = 2 * 1024 * 1024;
const SUBSCRIPTION_ID = 1;
const LAST_ID = 0xffff;

export interface LineEvents {
  /** The payload is a part of what was received: whoever keeps it keeps the whole. */
  readonly onMessage: (topic: string, payload: Buffer) => void;
  readonly onClosed?: () => void;
}

export interface LineOpening {
  readonly clientId: string;
  /** Null where a certificate says who it is, or nobody asks. */
  readonly password: string | null;
  readonly filters: readonly string[];
  readonly will?: Will;
  /** Whoever promises to be heard calls `ping` in time. */
  readonly keepAliveSeconds?: number;
}

/** Just enough of MQTT 3.1.1 for a controller, so that ten thousand of them do not ask for ten thousand times a library. */
export class MqttLine {
  readonly #socket: Socket;
  readonly #events: LineEvents;
  readonly #splitter = new PacketSplitter(LARGEST_PACKET);
  readonly #whenTaken = new Map<number, () => void>();
  #answer: { readonly resolve: (packet: RawPacket) => void; readonly reject: (error: Error) => void } | null = null;
  #lastId = SUBSCRIPTION_ID;
  #isClosed = false;

  /** The socket is connected, or about to be. */
  constructor(socket: Socket, events: LineEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('data', chunk => this.#arrived(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#closed());
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /** Connected and subscribed. Rejects when the broker does not want it. */
  async open({ clientId, password, filters, will, keepAliveSeconds = 0 }: LineOpening): Promise<void> {
    this.#socket.write(connectPacket({ clientId, password, will: will ?? null, keepAliveSeconds }));
    const accepted = await this.#answered(CONNACK);
    const code = accepted.bytes[accepted.start + 1];
    if (code !== 0) throw this.#failed(`the broker refuses ${clientId}: code ${code}`);
    this.#socket.write(subscribePacket(SUBSCRIPTION_ID, filters));
    const subscribed = await this.#answered(SUBACK);
    const grants = subscribed.bytes.subarray(subscribed.start + 2);
    if (grants.includes(REFUSED_SUBSCRIPTION)) throw this.#failed(`the broker refuses a subscription of ${clientId}`);
  }

  #failed(message: string): Error {
    this.close();
    return new Error(message);
  }

  async #answered(kind: number): Promise<RawPacket> {
    if (this.#isClosed) throw new Error('the line is closed');
    const packet = await new Promise<RawPacket>((resolve, reject) => {
      this.#answer = { resolve, reject };
    });
    if (packet.first >> 4 !== kind) throw this.#failed('the broker does not speak MQTT 3.1.1');
    return packet;
  }

  /** With QoS 1. `whenTaken`: the broker has it, which is not yet the bridge's word. */
  publish(topic: string, payload: Uint8Array, whenTaken?: () => void): void {
    this.#lastId = this.#lastId === LAST_ID ? SUBSCRIPTION_ID + 1 : this.#lastId + 1;
    if (whenTaken !== undefined) this.#whenTaken.set(this.#lastId, whenTaken);
    this.#socket.write(publishPacket(publishHead(topic, payload.length, 1), this.#lastId, payload));
  }

  ping(): void {
    if (!this.#isClosed) this.#socket.write(PING);
  }

  #arrived(chunk: Buffer): void {
    if (!this.#splitter.take(chunk, packet => this.#take(packet))) this.close();
  }

  #take(packet: RawPacket): void {
    if (isPlainPublish(packet.first)) {
      const message = readPublish(packet);
      if (message === null) return this.close();
      if (message.id !== null) this.#socket.write(pubackOf(message.id));
      return this.#events.onMessage(message.topic, message.payload);
    }
    const kind = packet.first >> 4;
    if (kind === PUBACK) {
      const id = packet.bytes.readUInt16BE(packet.start);
      this.#whenTaken.get(id)?.();
      this.#whenTaken.delete(id);
    } else if (kind === CONNACK || kind === SUBACK) {
      this.#answer?.resolve(packet);
      this.#answer = null;
    }
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#whenTaken.clear();
    this.#answer?.reject(new Error('the broker has hung up'));
    this.#events.onClosed?.();
  }

  /** Without a word, as when a line is cut. */
  close(): void {
    this.#socket.destroy();
  }
}
