import type { ServerResponse } from 'node:http';
import type { LiveMessage, World } from '@lintel/wire-protocol/simulator/world';

const MOST_VIEWERS = 32;
const MOST_UNSENT_BYTES = 1024 * 1024;
const BEAT_MS = 10_000;

/** Whoever looks at the page. One who does not keep up is cut and comes again to the whole picture. */
export class LiveAudience {
  readonly #viewers = new Set<ServerResponse>();
  readonly #beat: NodeJS.Timeout;

  constructor() {
    this.#beat = setInterval(() => this.#toAll(': beat\n\n'), BEAT_MS);
    this.#beat.unref();
  }

  /** False when there are too many already. */
  join(response: ServerResponse, world: World): boolean {
    if (this.#viewers.size >= MOST_VIEWERS) return false;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write(`retry: 1000\n\ndata: ${JSON.stringify({ type: 'world', world } satisfies LiveMessage)}\n\n`);
    this.#viewers.add(response);
    response.on('close', () => this.#viewers.delete(response));
    response.on('error', () => response.destroy());
    return true;
  }

  tell(message: LiveMessage): void {
    if (this.#viewers.size > 0) this.#toAll(`data: ${JSON.stringify(message)}\n\n`);
  }

  #toAll(text: string): void {
    for (const viewer of this.#viewers) {
      viewer.write(text);
      if (viewer.writableLength > MOST_UNSENT_BYTES) viewer.destroy();
    }
  }

  close(): void {
    clearInterval(this.#beat);
    for (const viewer of this.#viewers) viewer.destroy();
  }
}
