import { after } from '@lintel/access-core/monotonic';
import type { UplinkPublisher } from '@lintel/device-link/session/uplink/uplink-publisher';
import type { LiveHappening } from '@lintel/wire-protocol/technician/live';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { LiveFeed } from '../../live/live-feed.ts';

/** The bridge says every 20 s that somebody looks. */
const WATCH_MS = 45_000;
const GATHER_MS = 100;
const MOST_GATHERED = 200;

interface RemoteLiveStreamParts {
  readonly controller: { readonly technician: { readonly live: Pick<LiveFeed, 'listen'> } };
  readonly publisher: Pick<UplinkPublisher, 'publish'>;
  readonly clock: MonotonicClock;
}

/** What happens at the door, sent up while somebody far away looks. It ends by itself. */
export class RemoteLiveStream {
  readonly #parts: RemoteLiveStreamParts;
  #nonce = '';
  #number = 0;
  #gathered: LiveHappening[] = [];
  #cancelFlush: (() => void) | null = null;
  #cancelEnd: () => void = () => undefined;
  #stopListening: (() => void) | null = null;

  constructor(parts: RemoteLiveStreamParts) {
    this.#parts = parts;
  }

  startSession(nonce: string): void {
    this.stop();
    this.#nonce = nonce;
    this.#number = 0;
  }

  /** From now on for a while, or for a while longer. */
  watch(): void {
    const { clock, controller } = this.#parts;
    this.#cancelEnd();
    this.#cancelEnd = clock.wake(after(clock.now(), WATCH_MS), () => this.stop());
    this.#stopListening ??= controller.technician.live.listen(happening => this.#gather(happening));
  }

  stop(): void {
    this.#cancelEnd();
    this.#cancelFlush?.();
    this.#cancelFlush = null;
    this.#stopListening?.();
    this.#stopListening = null;
    this.#gathered = [];
  }

  /** More than one message has room for in its time is left out: the numbers tell that it is missing. */
  #gather(happening: LiveHappening): void {
    this.#number++;
    if (this.#gathered.length < MOST_GATHERED) this.#gathered.push(happening);
    const { clock } = this.#parts;
    this.#cancelFlush ??= clock.wake(after(clock.now(), GATHER_MS), () => this.#flush(this.#number));
  }

  #flush(last: number): void {
    this.#cancelFlush = null;
    const happenings = this.#gathered;
    this.#gathered = [];
    if (happenings.length === 0) return;
    const first = last - happenings.length + 1;
    void this.#parts.publisher.publish('technician-live', { v: 1, session_nonce: this.#nonce, first, happenings });
  }
}
