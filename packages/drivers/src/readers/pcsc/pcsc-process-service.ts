import { after } from '@lintel/access-core/monotonic';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import { PcscChild } from './pcsc-child.ts';
import type { PcscNews } from './pcsc-messages.ts';
import type { PcscCard, PcscService, PcscSession, PcscWatcher } from './pcsc-session.ts';

/** Together less than the two seconds in which a fault is to show. */
const BEAT_MS = 400;
const ANSWER_MS = 1_400;
/** The slot that waits has said long before that its reader hangs; this is for an answer that will never come. */
const CARD_MS = 5_000;
/** The binding loses some 5 kB with each attempt that finds no service. */
const MOST_ATTEMPTS = 500;

const cardOf = (child: PcscChild, card: number): PcscCard => ({
  atr: async () => (await child.ask({ type: 'atr', card }, CARD_MS)) as Uint8Array,
  transmit: async apdu => (await child.ask({ type: 'transmit', card, apdu }, CARD_MS)) as Uint8Array,
  release: async () => void (await child.ask({ type: 'release', card }, CARD_MS)),
});

/**
 * PC/SC in a process beside ours: a service that hangs, or a binding that crashes, takes along that process alone. One that
 * found no service is kept for the next attempt; one that had a session ends with it.
 */
export class PcscProcessService implements PcscService {
  readonly #clock: MonotonicClock;
  #child: PcscChild | null = null;
  #watcher: PcscWatcher | null = null;
  #attempts = 0;
  #isOpen = false;
  #cancelBeat: () => void = () => undefined;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  async open(watcher: PcscWatcher): Promise<PcscSession> {
    if (this.#attempts >= MOST_ATTEMPTS) this.close();
    this.#attempts++;
    this.#child ??= this.#start();
    const child = this.#child;
    this.#watcher = watcher;
    await child.ask({ type: 'open' }, ANSWER_MS);
    this.#isOpen = true;
    this.#beatLater(child);
    return {
      connect: async reader => cardOf(child, (await child.ask({ type: 'connect', reader }, CARD_MS)) as number),
      close: () => {
        if (this.#child === child) this.close();
      },
    };
  }

  #start(): PcscChild {
    const child: PcscChild = new PcscChild({
      clock: this.#clock,
      news: news => this.#hear(news),
      over: reason => this.#over(child, reason),
    });
    return child;
  }

  #hear(news: PcscNews): void {
    if (news.type === 'changed') this.#watcher?.changed(news.reader, news.hasCard);
    else if (news.type === 'mute') this.#watcher?.mute(news.reader);
    else this.#watcher?.unplugged(news.reader);
  }

  /** A service that hangs while no card comes is silent, and so is one that is well. */
  #beatLater(child: PcscChild): void {
    this.#cancelBeat = this.#clock.wake(after(this.#clock.now(), BEAT_MS), () => void this.#beat(child));
  }

  async #beat(child: PcscChild): Promise<void> {
    try {
      await child.ask({ type: 'beat' }, ANSWER_MS);
    } catch (error) {
      return this.#over(child, error as Error);
    }
    if (this.#child === child) this.#beatLater(child);
  }

  #over(child: PcscChild, reason: Error): void {
    if (this.#child !== child) return;
    const watcher = this.#isOpen ? this.#watcher : null;
    this.close();
    // While it is being opened, whoever opens it hears of it.
    watcher?.ended(reason);
  }

  close(): void {
    this.#cancelBeat();
    this.#child?.end();
    this.#child = null;
    this.#watcher = null;
    this.#attempts = 0;
    this.#isOpen = false;
  }
}
