import type { Socket } from 'node:net';
import type { MqttClient } from 'mqtt';

export interface OutgoingMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
}

const QOS = 1;
/** What the client needs to remember one that is under way. */
const BYTES_PER_MESSAGE = 2048;
/** What a broker answers for a filter that it does not grant. */
const REFUSED = 128;

interface Rejection {
  (error: Error): void;
}

/** One connection, from its opening to its end. It is not opened again. */
export class BrokerSession {
  readonly url: string;
  readonly #client: MqttClient;
  readonly #socket: Socket;
  readonly #waiting = new Set<Rejection>();
  #end: string | null = null;
  #isEnding = false;
  #unacknowledged = 0;
  #lastError = '';
  #onEnd: (why: string) => void = () => undefined;
  #left: () => void = () => undefined;

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
      this.#lastError = error.message;
    });
    client.on('close', () => this.#ended());
    client.on('message', (topic, payload) => onMessage(topic, payload));
  }

  /** What the network has not taken, or the broker has not acknowledged. */
  get bufferedBytes(): number {
    return Math.max(this.#socket.writableLength, this.#unacknowledged);
  }

  /** Called at once when it is over already. */
  onEnd(handler: (why: string) => void): void {
    this.#onEnd = handler;
    if (this.#end !== null) handler(this.#end);
  }

  #ended(): void {
    if (this.#end !== null) return;
    const why = this.#lastError === '' ? 'the connection was closed' : this.#lastError;
    this.#end = why;
    this.#client.end(true);
    for (const reject of this.#waiting) reject(new Error(why));
    this.#waiting.clear();
    this.#left();
    this.#onEnd(why);
  }

  /** Settled by the end of the connection at the latest, whatever the client makes of what was under way. */
  #whileItLasts<T>(begin: (resolve: (value: T) => void, reject: Rejection) => void): Promise<T> {
    if (this.#end !== null || this.#isEnding)
      return Promise.reject(new Error(this.#end ?? 'the connection is closing'));
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      const settle =
        <V>(then: (value: V) => void) =>
        (value: V): void => {
          this.#waiting.delete(reject);
          then(value);
        };
      begin(settle(resolve), settle(reject));
    });
  }

  /** The broker has said welcome, and lets this device hear what it wants to. Answers the filters that it does not grant. */
  async begin(filters: readonly string[], withinMs: number): Promise<string[]> {
    const late = setTimeout(() => this.cut('the broker does not answer'), withinMs);
    try {
      await this.#whileItLasts<void>((resolve, reject) => {
        this.#client.once('connect', () => resolve());
        this.#client.once('error', reject);
      });
      return await this.#subscribeAll(filters);
    } catch (error) {
      this.cut();
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  async publish({ topic, payload }: OutgoingMessage): Promise<void> {
    const bytes = payload.length + BYTES_PER_MESSAGE;
    this.#unacknowledged += bytes;
    try {
      await this.#whileItLasts<void>((resolve, reject) => {
        this.#client.publish(topic, Buffer.from(payload), { qos: QOS, retain: false }, error =>
          error ? reject(error) : resolve(),
        );
      });
    } finally {
      this.#unacknowledged -= bytes;
    }
  }

  /** Throws when it grants none. */
  async #subscribeAll(filters: readonly string[]): Promise<string[]> {
    if (filters.length === 0) return [];
    const granted = await this.#whileItLasts<ReadonlyMap<string, number>>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: QOS }, (error, grants, packet) => {
        const codes = (packet as { readonly granted?: readonly unknown[] } | undefined)?.granted;
        // The client takes a refused filter for an error of the whole: the broker's own answer tells them apart.
        if (error !== null && codes === undefined) return reject(error);
        const answers = codes ?? grants?.map(({ qos }) => qos) ?? [];
        resolve(new Map(filters.map((filter, index) => [filter, Number(answers[index] ?? REFUSED)])));
      });
    });
    const refused = filters.filter(filter => granted.get(filter) === REFUSED);
    if (refused.length < filters.length) return refused;
    throw new Error(`the broker refuses to let this device hear ${refused.join(', ')}`);
  }

  async subscribe(filters: readonly string[]): Promise<void> {
    if (filters.length === 0) return;
    await this.#whileItLasts<void>((resolve, reject) => {
      this.#client.subscribe([...filters], { qos: QOS }, error => (error === null ? resolve() : reject(error)));
    });
  }

  async unsubscribe(filters: readonly string[]): Promise<void> {
    if (filters.length === 0) return;
    await this.#whileItLasts<void>((resolve, reject) => {
      this.#client.unsubscribe([...filters], error => (error ? reject(error) : resolve()));
    });
  }

  /** Says goodbye in the protocol's own way. Whoever does not want to wait for the broker cuts it meanwhile. */
  async leave(): Promise<void> {
    if (this.#end !== null) return;
    this.#isEnding = true;
    await new Promise<void>(resolve => {
      this.#left = resolve;
      this.#client.end(false, () => resolve());
    });
    this.#socket.destroy();
    this.#ended();
  }

  cut(why?: string): void {
    if (why !== undefined) this.#lastError = why;
    this.#socket.destroy();
    this.#ended();
  }
}
