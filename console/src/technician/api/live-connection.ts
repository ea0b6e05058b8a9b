import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import { ServerSentEventParser } from './server-sent-event-parser.ts';

interface LiveConnectionOptions {
  readonly url: string;
  readonly onEvent: (event: TechnicianLiveMessage) => void;
  readonly onConnect: () => void;
  /** `status` of a response that is not a stream; null when the connection ended. */
  readonly onDisconnect: (status: number | null) => void;
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;
/** Three heartbeats of the controller. */
const SILENCE_MS = 50_000;

const retryDelay = (failures: number): number => Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);

/** Reconnects with backoff. Uses `fetch`, because `EventSource` hides the status of a response. */
export class LiveConnection {
  readonly #options: LiveConnectionOptions;
  #abort: AbortController | null = null;
  #timer = 0;
  #failures = 0;

  constructor(options: LiveConnectionOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#abort !== null;
  }

  open(): void {
    if (this.isOpen) return;
    this.#failures = 0;
    void this.#run();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
  }

  /** Skips the remaining backoff, for example after a successful request. */
  retryNow(): void {
    if (!this.isOpen || this.#timer === 0) return;
    clearTimeout(this.#timer);
    this.#failures = 0;
    void this.#run();
  }

  async #run(): Promise<void> {
    this.#timer = 0;
    const abort = new AbortController();
    this.#abort = abort;
    const status = await this.#receive(abort);
    if (this.#abort !== abort) return;
    abort.abort();
    this.#timer = window.setTimeout(() => void this.#run(), retryDelay(this.#failures));
    this.#failures += 1;
    this.#options.onDisconnect(status);
  }

  async #receive(abort: AbortController): Promise<number | null> {
    const { url, onConnect } = this.#options;
    let timeout = window.setTimeout(() => abort.abort(), SILENCE_MS);
    const restartTimeout = (): void => {
      clearTimeout(timeout);
      timeout = window.setTimeout(() => abort.abort(), SILENCE_MS);
    };
    try {
      const response = await fetch(url, {
        headers: { accept: 'text/event-stream' },
        cache: 'no-store',
        signal: abort.signal,
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (!response.ok || response.body === null || !isStream) return response.status;
      this.#failures = 0;
      onConnect();
      await this.#readEvents(response.body, restartTimeout);
      return null;
    } catch {
      return null;
    } finally {
      clearTimeout(timeout);
    }
  }

  async #readEvents(body: ReadableStream<Uint8Array>, onData: () => void): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const parser = new ServerSentEventParser();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onData();
      for (const data of parser.parse(decoder.decode(value, { stream: true }))) {
        this.#options.onEvent(JSON.parse(data) as TechnicianLiveMessage);
      }
    }
  }
}
