import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { TechnicianLiveMessage } from '@lintel/wire-protocol/technician/live-message';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { LiveFeed } from '../../live/live-feed.ts';

/** The bridge renews the request every 20 s. */
const WATCH_MS = 45_000;
const BATCH_MS = 100;
const MAX_BATCH = 200;

interface RemoteLiveStreamDependencies {
  readonly controller: { readonly technician: { readonly live: Pick<LiveFeed, 'listen'> } };
  readonly publisher: Pick<UplinkPublisher, 'publish'>;
  readonly clock: MonotonicClock;
}

/** Sends live messages to the bridge until the request for them expires. */
export class RemoteLiveStream {
  readonly #parts: RemoteLiveStreamDependencies;
  #nonce = '';
  #number = 0;
  #batch: TechnicianLiveMessage[] = [];
  #cancelFlush: (() => void) | null = null;
  #cancelEnd: () => void = () => undefined;
  #stopListening: (() => void) | null = null;

  constructor(parts: RemoteLiveStreamDependencies) {
    this.#parts = parts;
  }

  startSession(nonce: string): void {
    this.stop();
    this.#nonce = nonce;
    this.#number = 0;
  }

  /** Starts or prolongs the stream. */
  watch(): void {
    const { clock, controller } = this.#parts;
    this.#cancelEnd();
    this.#cancelEnd = clock.wake(addMilliseconds(clock.now(), WATCH_MS), () => this.stop());
    this.#stopListening ??= controller.technician.live.listen(message => this.#add(message));
  }

  stop(): void {
    this.#cancelEnd();
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    this.#stopListening?.();
    this.#stopListening = null;
    this.#batch = [];
  }

  /** Messages beyond the limit of a batch are dropped. The gap in the numbers shows it. */
  #add(message: TechnicianLiveMessage): void {
    this.#number++;
    if (this.#batch.length < MAX_BATCH) this.#batch.push(message);
    const { clock } = this.#parts;
    this.#cancelFlush ??= clock.wake(addMilliseconds(clock.now(), BATCH_MS), () => this.#flush(this.#number));
  }

  #flush(last: number): void {
    this.#cancelFlush = null;
    const messages = this.#batch;
    this.#batch = [];
    if (messages.length === 0) return;
    const first = last - messages.length + 1;
    void this.#parts.publisher.publish('technician-live', {
      v: 1,
      session_nonce: this.#nonce,
      first,
      happenings: messages,
    });
  }
}
