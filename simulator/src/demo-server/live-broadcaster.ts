import type { ServerResponse } from 'node:http';
import type {
  SimulatorLiveMessage,
  SimulatorState,
} from '@lintel/wire-protocol/simulator/simulator-state-and-live-messages';

const MAX_VIEWERS = 32;
const MAX_UNSENT_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 10_000;

/** Sends live messages to all open pages. Disconnects a page that is too slow; it reconnects and receives the whole state. */
export class LiveBroadcaster {
  readonly #viewers = new Set<ServerResponse>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor() {
    this.#heartbeat = setInterval(() => this.#sendToAll(': beat\n\n'), HEARTBEAT_MS);
    this.#heartbeat.unref();
  }

  /** Returns false when too many pages are open. */
  addViewer(response: ServerResponse, world: SimulatorState): boolean {
    if (this.#viewers.size >= MAX_VIEWERS) return false;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write(
      `retry: 1000\n\ndata: ${JSON.stringify({ type: 'world', world } satisfies SimulatorLiveMessage)}\n\n`,
    );
    this.#viewers.add(response);
    response.on('close', () => this.#viewers.delete(response));
    response.on('error', () => response.destroy());
    return true;
  }

  broadcast(message: SimulatorLiveMessage): void {
    if (this.#viewers.size > 0) this.#sendToAll(`data: ${JSON.stringify(message)}\n\n`);
  }

  #sendToAll(text: string): void {
    for (const viewer of this.#viewers) {
      viewer.write(text);
      if (viewer.writableLength > MAX_UNSENT_BYTES) viewer.destroy();
    }
  }

  close(): void {
    clearInterval(this.#heartbeat);
    for (const viewer of this.#viewers) viewer.destroy();
  }
}
