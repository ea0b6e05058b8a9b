import type { Socket } from 'node:net';
import type { MqttClient } from 'mqtt';
import { toProtocolError } from '@lintel/service/connections/protocol-error';

export interface OutgoingMqttMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
}

const QOS = 1;
/** Memory of the client for an unacknowledged message. */
const BYTES_PER_MESSAGE = 2048;
/** SUBACK code for a rejected filter. */
const REFUSED = 128;

interface RejectPromise {
  (error: Error): void;
}

/** One MQTT connection, which does not reconnect. */
export class SingleBrokerConnection {
  readonly url: string;
  readonly #client: MqttClient;
  readonly #socket: Socket;
  readonly #waiting = new Set<RejectPromise>();
  #closeReason: string | null = null;
  #isDisconnecting = false;
  #unacknowledged = 0;
  #lastError = '';
  #onEnd: (why: string) => void = () => undefined;
  #onDisconnected: () => void = () => undefined;

  constructor(
    url: string,
    client: MqttClient,
    socket: Socket,
    onMessage: (topic: string, payload: Uint8Array) => void,
  ) {
    this.url = url;
    this.#client = client;
    this.#socket = socket;
    client.on('error', error => {
      this.#lastError = toProtocolError('the server', error).message;
    });
    client.on('close', () => this.#close());
    client.on('message', (topic, payload) => onMessage(topic, payload));
  }

  /** Bytes that were not sent, or not acknowledged by the broker. */
  get bufferedBytes(): number {
    return Math.max(this.#socket.writableLength, this.#unacknowledged);
  }

  /** Called at once when the connection is already closed. */
  onClose(handler: (why: string) => void): void {
    this.#onEnd = handler;
    if (this.#closeReason !== null) handler(this.#closeReason);
  }

  #close(): void {
    if (this.#closeReason !== null) return;
    const why = this.#lastError === '' ? 'the connection was closed' : this.#lastError;
    this.#closeReason = why;
    this.#client.end(true);
    for (const reject of this.#waiting) reject(new Error(why));
    this.#waiting.clear();
    this.#onDisconnected();
    this.#onEnd(why);
  }

  /** Rejects when the connection closes, even if the client does not settle the operation. */
  #untilClosed<T>(start: (resolve: (value: T) => void, reject: RejectPromise) => void): Promise<T> {
    if (this.#closeReason !== null || this.#isDisconnecting)
      return Promise.reject(new Error(this.#closeReason ?? 'the connection is closing'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      const settle =
        <V>(then: (value: V) => void) =>
        (value: V): void => {
          this.#waiting.delete(reject);
          then(value);
        };
      start(settle(resolve), settle(reject));
    });
  }

  /** Waits for the connection and subscribes. Returns the rejected filters. */
  async connect(filters: readonly string[], withinMs: number): Promise<string[]> {
    const late = setTimeout(() => this.destroy('the broker does not respond'), withinMs);
    try {
      await this.#untilClosed<void>((resolve, reject) => {
        this.#client.once('connect', () => resolve());
        this.#client.once('error', error => reject(toProtocolError('the server', error)));
      });
      return await this.#subscribeAll(filters);
    } catch (error) {
      this.destroy();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  async publish({ topic, payload }: OutgoingMqttMessage): Promise<void> {
    const bytes = payload.length + BYTES_PER_MESSAGE;
    this.#unacknowledged += bytes;
    try {
      await this.#untilClosed<void>((resolve, reject) => {
        this.#client.publish(topic, Buffer.from(payload), { qos: QOS, retain: false }, error =>
          error ? reject(error) : resolve(),
        );
      });
    } finally {
      this.#unacknowledged -= bytes;
    }
  }

  /** Throws when all filters are rejected. */
  async #subscribeAll(filters: readonly string[]): Promise<string[]> {
    if (filters.length === 0) return [];
    const granted = await this.#untilClosed<ReadonlyMap<string, number>>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: QOS }, (error, grants, packet) => {
        const codes = (packet as { readonly granted?: readonly unknown[] } | undefined)?.granted;
        // The client reports one rejected filter as a failure of all; the codes of the broker show which.
        if (error !== null && codes === undefined) return reject(error);
        const answers = codes ?? grants?.map(({ qos }) => qos) ?? [];
        resolve(new Map(filters.map((filter, index) => [filter, Number(answers[index] ?? REFUSED)])));
      });
    });
    const rejected = filters.filter(filter => granted.get(filter) === REFUSED);
    if (rejected.length < filters.length) return rejected;
    throw new Error(`the broker rejected the subscriptions ${rejected.join(', ')}`);
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    if (filters.length === 0) return;
    await this.#untilClosed<void>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: QOS }, error => (error === null ? resolve() : reject(error)));
    });
  }

  async unsubscribe(filters: readonly string[]): Promise<void> {
    if (filters.length === 0) return;
    await this.#untilClosed<void>((resolve, reject) => {
      this.#client.unsubscribe([...filters], error => (error ? reject(error) : resolve()));
    });
  }

  /** Disconnects cleanly. `destroy` ends the wait for the broker. */
  async disconnect(): Promise<void> {
    if (this.#closeReason !== null) return;
    this.#isDisconnecting = true;
    await new Promise<void>(resolve => {
      this.#onDisconnected = resolve;
      this.#client.end(false, () => resolve());
    });
    this.#socket.destroy();
    this.#close();
  }

  destroy(why?: string): void {
    if (why !== undefined) this.#lastError = why;
    this.#socket.destroy();
    this.#close();
  }
}
