import { setTimeout as delay } from 'node:timers/promises';

const RECONNECT_MS = 100;

interface StreamMessage {
  readonly event?: { readonly id: string };
}

/** A client of the event stream. After each interruption it continues after its last event, at another bridge if there are several. */
export class StreamFollower {
  readonly #urls: () => readonly string[];
  readonly #token: string;
  readonly #filter: string;
  readonly #run: Promise<void>;
  #socket: WebSocket | null = null;
  #isStopped = false;
  readonly eventIds: string[] = [];
  connections = 0;

  /** `urls` returns the bridges that run now. */
  constructor(urls: () => readonly string[], token: string, filter = '') {
    this.#urls = urls;
    this.#token = token;
    this.#filter = filter;
    this.#run = this.#follow();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#socket?.close();
    await this.#run;
  }

  async #follow(): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      const urls = this.#urls();
      const url = urls[turn % urls.length];
      if (url !== undefined) await this.#receive(url);
      await delay(RECONNECT_MS);
    }
  }

  /** Resolves when the connection ends. */
  #receive(url: string): Promise<void> {
    const last = this.eventIds.at(-1);
    const since = last === undefined ? '' : `&since=${last}`;
    const address = `${url.replace('http', 'ws')}/v2/events/stream?${this.#filter}${since}`;
    const socket = new WebSocket(address, { headers: { authorization: `Bearer ${this.#token}` } });
    this.#socket = socket;
    return new Promise(resolve => {
      socket.addEventListener('open', () => (this.connections += 1));
      socket.addEventListener('message', ({ data }) => {
        const { event } = JSON.parse(String(data)) as StreamMessage;
        if (event !== undefined) this.eventIds.push(event.id);
      });
      socket.addEventListener('close', () => resolve());
      socket.addEventListener('error', () => resolve());
    });
  }
}
