import { addMilliseconds } from '@lintel/access-core/monotonic-time';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import { PcscChildProcess } from './pcsc-process-client.ts';
import type { PcscNotification } from './pcsc-process-messages.ts';
import type { PcscReaderUsbPortAndSerial } from './pcsc-reader-usb-identity.ts';
import type { PcscCard, PcscService, PcscSession, PcscWatcher } from './pcsc-session-and-service-interfaces.ts';

/** Together below the two seconds in which a fault must show. */
const BEAT_MS = 400;
const RESPONSE_MS = 1_400;
/** The waiting slot has reported a hanging reader long before; this limit is for a response that never comes. */
const CARD_MS = 5_000;
/** The binding leaks about 5 kB with each attempt that finds no service. */
const MAX_TRIAL_STARTS = 500;

const cardOf = (child: PcscChildProcess, card: number): PcscCard => ({
  atr: async () => (await child.request({ type: 'atr', card }, CARD_MS)) as Uint8Array,
  transmit: async apdu => (await child.request({ type: 'transmit', card, apdu }, CARD_MS)) as Uint8Array,
  release: async () => void (await child.request({ type: 'release', card }, CARD_MS)),
});

/**
 * PC/SC in a child process: a hanging service or a crashing binding affects only that process. A process that found no
 * service is reused for the next attempt; a process with a session ends with it.
 */
export class PcscProcessService implements PcscService {
  readonly #clock: MonotonicClock;
  #child: PcscChildProcess | null = null;
  #watcher: PcscWatcher | null = null;
  #attempts = 0;
  #isOpen = false;
  #cancelBeat: () => void = () => undefined;

  constructor(clock: MonotonicClock) {
    this.#clock = clock;
  }

  async open(watcher: PcscWatcher): Promise<PcscSession> {
    if (this.#attempts >= MAX_TRIAL_STARTS) this.close();
    this.#attempts++;
    this.#child ??= this.#start();
    const child = this.#child;
    this.#watcher = watcher;
    await child.request({ type: 'open' }, RESPONSE_MS);
    this.#isOpen = true;
    this.#beatLater(child);
    return {
      connect: async reader => cardOf(child, (await child.request({ type: 'connect', reader }, CARD_MS)) as number),
      locate: async reader =>
        (await child.request({ type: 'locate', reader }, CARD_MS)) as PcscReaderUsbPortAndSerial | null,
      close: () => {
        if (this.#child === child) this.close();
      },
    };
  }

  #start(): PcscChildProcess {
    const child: PcscChildProcess = new PcscChildProcess({
      clock: this.#clock,
      news: news => this.#hear(news),
      over: reason => this.#over(child, reason),
    });
    return child;
  }

  #hear(news: PcscNotification): void {
    if (news.type === 'changed') this.#watcher?.changed(news.reader, news.hasCard);
    else if (news.type === 'mute') this.#watcher?.mute(news.reader);
    else this.#watcher?.unplugged(news.reader);
  }

  /** Without cards, a hanging service cannot be told from a healthy one. */
  #beatLater(child: PcscChildProcess): void {
    this.#cancelBeat = this.#clock.wake(addMilliseconds(this.#clock.now(), BEAT_MS), () => void this.#beat(child));
  }

  async #beat(child: PcscChildProcess): Promise<void> {
    try {
      await child.request({ type: 'beat' }, RESPONSE_MS);
    } catch (error) {
      return this.#over(child, error as Error);
    }
    if (this.#child === child) this.#beatLater(child);
  }

  #over(child: PcscChildProcess, reason: Error): void {
    if (this.#child !== child) return;
    const watcher = this.#isOpen ? this.#watcher : null;
    this.close();
    // While opening, the caller gets the error.
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
