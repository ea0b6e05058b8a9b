import type { Bridge } from '@lintel/cloud-bridge/main';

interface Message {
  readonly type: string;
  readonly event?: { readonly id: string } & Readonly<Record<string, unknown>>;
  readonly error?: Readonly<Record<string, unknown>>;
}

/** A WebSocket client of the event stream that keeps every message it receives. */
export class EventStreamClient {
  readonly messages: Message[] = [];
  readonly #socket: WebSocket;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  #changed: Array<() => void> = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data)) as Message));
    this.closed = new Promise(resolve => {
      socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
    });
  }

  /** Resolves when the socket is open. With `null` it sends no token. */
  static open(bridge: Pick<Bridge, 'app'>, query: string, token: string | null): Promise<EventStreamClient> {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    return EventStreamClient.openAt(bridge, `/v2/events/stream${query}`, headers);
  }

  static async openAt(
    bridge: Pick<Bridge, 'app'>,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<EventStreamClient> {
    const { port } = bridge.app.server.address() as { port: number };
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    const client = new EventStreamClient(socket);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('The event stream refused the connection')));
    });
    return client;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  get events(): readonly NonNullable<Message['event']>[] {
    return this.messages.flatMap(({ event }) => (event === undefined ? [] : [event]));
  }

  /** Waits for `count` events and returns the ids of their members. */
  async members(count: number): Promise<string[]> {
    await this.waitUntil(() => this.events.length >= count);
    return this.events.map(event => (event['object'] as { member_id: string }).member_id);
  }

  /** Rejects if the stream is closed before. */
  async waitUntil(condition: () => boolean): Promise<void> {
    while (!condition()) {
      const changed = new Promise<null>(resolve => this.#changed.push(() => resolve(null)));
      const end = await Promise.race([this.closed, changed]);
      if (end !== null && !condition()) throw new Error(`The stream was closed: ${end.code} ${end.reason}`);
    }
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  #receive(message: Message): void {
    this.messages.push(message);
    const waiting = this.#changed;
    this.#changed = [];
    for (const resolve of waiting) resolve();
  }
}
