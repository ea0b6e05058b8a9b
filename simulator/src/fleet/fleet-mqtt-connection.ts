import type { Socket } from 'node:net';
import { PacketSplitter, type RawPacket } from '@lintel/broker/packet-splitter';
import {
  isPlainPublishPacket,
  PUBACK_PACKET_TYPE,
  encodePuback,
  encodePublishHeader,
  encodePublishPacket,
  parsePublishPacket,
} from '@lintel/broker/publish-and-puback-packets';
import { encodeConnectPacket, PING_PACKET, encodeSubscribePacket, type MqttLastWill } from './encode-mqtt-packets.ts';

const CONNACK = 2;
const SUBACK = 9;
const REFUSED_SUBSCRIPTION = 0x80;
const MAX_PACKET_BYTES = 2 * 1024 * 1024;
const SUBSCRIPTION_ID = 1;
const LAST_ID = 0xffff;

export interface FleetMqttConnectionCallbacks {
  /** The payload is a view of the receive buffer. Copy it before storing it. */
  readonly onMessage: (topic: string, payload: Buffer) => void;
  readonly onClosed?: () => void;
}

export interface FleetMqttConnectOptions {
  readonly clientId: string;
  /** Null when the client authenticates with a certificate, or not at all. */
  readonly password: string | null;
  readonly filters: readonly string[];
  readonly will?: MqttLastWill;
  /** The caller has to call `ping` within this time. */
  readonly keepAliveSeconds?: number;
}

/** A minimal MQTT 3.1.1 client. A full client library would use too much memory for ten thousand controllers. */
export class FleetMqttConnection {
  readonly #socket: Socket;
  readonly #events: FleetMqttConnectionCallbacks;
  readonly #splitter = new PacketSplitter(MAX_PACKET_BYTES);
  readonly #onAcknowledged = new Map<number, () => void>();
  #pendingReply: { readonly resolve: (packet: RawPacket) => void; readonly reject: (error: Error) => void } | null =
    null;
  #lastId = SUBSCRIPTION_ID;
  #isClosed = false;

  /** The socket may still be connecting. */
  constructor(socket: Socket, events: FleetMqttConnectionCallbacks) {
    this.#socket = socket;
    this.#events = events;
    socket.on('data', chunk => this.#receive(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#closed());
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  /** Connects and subscribes. Rejects when the broker refuses. */
  async open({ clientId, password, filters, will, keepAliveSeconds = 0 }: FleetMqttConnectOptions): Promise<void> {
    this.#socket.write(encodeConnectPacket({ clientId, password, will: will ?? null, keepAliveSeconds }));
    const accepted = await this.#waitForReply(CONNACK);
    const code = accepted.bytes[accepted.start + 1];
    if (code !== 0) throw this.#fail(`The broker refused the connection of ${clientId}: code ${code}`);
    this.#socket.write(encodeSubscribePacket(SUBSCRIPTION_ID, filters));
    const subscribed = await this.#waitForReply(SUBACK);
    const grants = subscribed.bytes.subarray(subscribed.start + 2);
    if (grants.includes(REFUSED_SUBSCRIPTION)) throw this.#fail(`The broker refused a subscription of ${clientId}`);
  }

  #fail(message: string): Error {
    this.close();
    return new Error(message);
  }

  async #waitForReply(kind: number): Promise<RawPacket> {
    if (this.#isClosed) throw new Error('The connection is closed');
    const packet = await new Promise<RawPacket>((resolve, reject) => {
      this.#pendingReply = { resolve, reject };
    });
    if (packet.first >> 4 !== kind) throw this.#fail('The broker does not support MQTT 3.1.1');
    return packet;
  }

  /** Publishes with QoS 1. `onAcknowledged`: the broker has received the message, not necessarily the bridge. */
  publish(topic: string, payload: Uint8Array, onAcknowledged?: () => void): void {
    this.#lastId = this.#lastId === LAST_ID ? SUBSCRIPTION_ID + 1 : this.#lastId + 1;
    if (onAcknowledged !== undefined) this.#onAcknowledged.set(this.#lastId, onAcknowledged);
    this.#socket.write(encodePublishPacket(encodePublishHeader(topic, payload.length, 1), this.#lastId, payload));
  }

  ping(): void {
    if (!this.#isClosed) this.#socket.write(PING_PACKET);
  }

  #receive(chunk: Buffer): void {
    if (!this.#splitter.push(chunk, packet => this.#handlePacket(packet))) this.close();
  }

  #handlePacket(packet: RawPacket): void {
    if (isPlainPublishPacket(packet.first)) {
      const message = parsePublishPacket(packet);
      if (message === null) return this.close();
      if (message.id !== null) this.#socket.write(encodePuback(message.id));
      return this.#events.onMessage(message.topic, message.payload);
    }
    const kind = packet.first >> 4;
    if (kind === PUBACK_PACKET_TYPE) {
      const id = packet.bytes.readUInt16BE(packet.start);
      this.#onAcknowledged.get(id)?.();
      this.#onAcknowledged.delete(id);
    } else if (kind === CONNACK || kind === SUBACK) {
      this.#pendingReply?.resolve(packet);
      this.#pendingReply = null;
    }
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onAcknowledged.clear();
    this.#pendingReply?.reject(new Error('The broker closed the connection'));
    this.#events.onClosed?.();
  }

  /** Closes the connection without a disconnect message. */
  close(): void {
    this.#socket.destroy();
  }
}
