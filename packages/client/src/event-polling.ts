import { LintelApiError } from './api-error.ts';
import type { Event } from './api-types.ts';
import { computeBackoffMs } from './request-sender.ts';

export interface EventPollingOptions {
  /** The events that were recorded after this time, in this order. Undefined: all events. */
  readonly list: (recordedAfter: string | undefined) => AsyncIterable<Event>;
  readonly recordedAfter: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
}

const INTERVAL_MS = 1000;

/** The network failed, or the bridge is overloaded or restarts. `fetch` rejects with a TypeError. */
const isTemporary = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof LintelApiError && (error.status === 429 || error.status >= 500));

/** Events as they are committed, for platforms without `WebSocket`, such as Node 20. */
export async function* pollEvents(options: EventPollingOptions): AsyncGenerator<Event, void, undefined> {
  const { list, signal, wait, random } = options;
  let { recordedAfter } = options;
  for (let pauseMs = 0, failures = 0; ; ) {
    try {
      await wait(pauseMs, signal);
      for await (const event of list(recordedAfter)) {
        recordedAfter = event.recorded_at;
        yield event;
        if (signal?.aborted === true) return;
      }
      failures = 0;
      pauseMs = INTERVAL_MS;
    } catch (error) {
      if (signal?.aborted === true) return;
      if (!isTemporary(error)) throw error;
      pauseMs = computeBackoffMs(failures, random);
      failures += 1;
    }
  }
}
