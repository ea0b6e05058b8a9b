import type { EventAnswer } from '@lintel/wire-protocol/rest/event';
import type { BridgeClient } from './bridge-client.ts';

const AGAIN_MS = 500;
const UNAUTHORIZED = 4401;

type StreamMessage = { readonly type: string; readonly event?: EventAnswer };

/** Tells each event when the bridge has committed it, without a gap, until it is stopped. */
export class CommittedEvents {
  readonly #bridge: BridgeClient;
  readonly #tell: (event: EventAnswer) => void;
  #socket: WebSocket | null = null;
  #since: string | null = null;
  #again: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(bridge: BridgeClient, tell: (event: EventAnswer) => void) {
    this.#bridge = bridge;
    this.#tell = tell;
  }

  /** Resolves when the stream has begun. */
  start(): Promise<void> {
    return new Promise(resolve => this.#open(resolve));
  }

  #open(begun: () => void): void {
    const since = this.#since === null ? '' : `?since=${this.#since}`;
    const socket = new WebSocket(`${this.#bridge.url.replace(/^http/, 'ws')}/v2/events/stream${since}`);
    this.#socket = socket;
    socket.addEventListener('open', () => socket.send(JSON.stringify({ access_token: this.#bridge.token })));
    socket.addEventListener('message', ({ data }) => {
      begun();
      const { event } = JSON.parse(String(data)) as StreamMessage;
      if (event === undefined) return;
      this.#since = event.id;
      this.#tell(event);
    });
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', ({ code }) => void this.#comeAgain(code === UNAUTHORIZED, begun));
  }

  async #comeAgain(needsToken: boolean, begun: () => void): Promise<void> {
    if (needsToken && !this.#isOver) await this.#bridge.renew().catch(() => undefined);
    if (!this.#isOver) this.#again = setTimeout(() => this.#open(begun), AGAIN_MS);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#again);
    this.#socket?.close();
  }
}
