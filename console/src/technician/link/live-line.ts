import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import { EventStreamReader } from './event-stream.ts';

interface LiveLineOptions {
  readonly address: string;
  readonly heard: (happening: LiveHappening) => void;
  readonly connected: () => void;
  /** `status`: of the answer that was no stream; null when the line just ended. */
  readonly lost: (status: number | null) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** Three beats of the controller missed: the phone has left the network and nobody told it. */
const SILENCE_MS = 50_000;

const pauseAfter = (failures: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);

/** Listens, and comes again for as long as it takes. With `fetch`, which says why it was refused, as `EventSource` does not. */
export class LiveLine {
  readonly #options: LiveLineOptions;
  #abort: AbortController | null = null;
  #timer = 0;
  #failures = 0;

  constructor(options: LiveLineOptions) {
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

  /** Somebody is looking now, or a request got through: no use in waiting any longer. */
  hurry(): void {
    if (!this.isOpen || this.#timer === 0) return;
    clearTimeout(this.#timer);
    this.#failures = 0;
    void this.#run();
  }

  async #run(): Promise<void> {
    this.#timer = 0;
    const abort = new AbortController();
    this.#abort = abort;
    const status = await this.#listen(abort);
    if (this.#abort !== abort) return;
    abort.abort();
    this.#timer = window.setTimeout(() => void this.#run(), pauseAfter(this.#failures));
    this.#failures += 1;
    this.#options.lost(status);
  }

  async #listen(abort: AbortController): Promise<number | null> {
    const { address, connected } = this.#options;
    let silence = window.setTimeout(() => abort.abort(), SILENCE_MS);
    const beat = (): void => {
      clearTimeout(silence);
      silence = window.setTimeout(() => abort.abort(), SILENCE_MS);
    };
    try {
      const response = await fetch(address, {
        headers: { accept: 'text/event-stream' },
        cache: 'no-store',
        signal: abort.signal,
      });
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
      if (!response.ok || response.body === null || !isStream) return response.status;
      this.#failures = 0;
      connected();
      await this.#hear(response.body, beat);
      return null;
    } catch {
      return null;
    } finally {
      clearTimeout(silence);
    }
  }

  async #hear(body: ReadableStream<Uint8Array>, beat: () => void): Promise<void> {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    const events = new EventStreamReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      beat();
      for (const data of events.take(decoder.decode(value, { stream: true }))) {
        this.#options.heard(JSON.parse(data) as LiveHappening);
      }
    }
  }
}
