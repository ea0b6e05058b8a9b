import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { DemoBridgeClient } from './demo-bridge-client.ts';

const RECONNECT_MS = 500;
const UNAUTHORIZED = 4401;

type StreamMessage = { readonly type: string; readonly event?: EventResponse };

/** Follows the bridge's event stream without gaps until it is stopped. */
export class BridgeEventSubscription {
  readonly #bridge: DemoBridgeClient;
  readonly #onEvent: (event: EventResponse) => void;
  #socket: WebSocket | null = null;
  #since: string | null = null;
  #reconnectTimer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(bridge: DemoBridgeClient, onEvent: (event: EventResponse) => void) {
    this.#bridge = bridge;
    this.#onEvent = onEvent;
  }

  /** Resolves with the first message of the stream. */
  start(): Promise<void> {
    return new Promise(resolve => this.#open(resolve));
  }

  #open(onOpen: () => void): void {
    const since = this.#since === null ? '' : `?since=${this.#since}`;
    const socket = new WebSocket(`${this.#bridge.url.replace(/^http/, 'ws')}/v2/events/stream${since}`);
    this.#socket = socket;
    socket.addEventListener('open', () => socket.send(JSON.stringify({ access_token: this.#bridge.token })));
    socket.addEventListener('message', ({ data }) => {
      onOpen();
      const { event } = JSON.parse(String(data)) as StreamMessage;
      if (event === undefined) return;
      this.#since = event.id;
      this.#onEvent(event);
    });
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', ({ code }) => void this.#reconnect(code === UNAUTHORIZED, onOpen));
  }

  async #reconnect(needsToken: boolean, onOpen: () => void): Promise<void> {
    if (needsToken && !this.#isStopped) await this.#bridge.renewToken().catch(() => undefined);
    if (!this.#isStopped) this.#reconnectTimer = setTimeout(() => this.#open(onOpen), RECONNECT_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#reconnectTimer);
    this.#socket?.close();
  }
}
