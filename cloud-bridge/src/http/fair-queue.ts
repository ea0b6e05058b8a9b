import { ApiError } from './api-error.ts';

export interface FairQueueLimits {
  /** Requests that run at the same time. */
  readonly maxRunning: number;
  /** Requests that start in one turn of the event loop, so that connections of doors are served between them. */
  readonly startsPerTurn: number;
  /** Waiting requests of one organization. Further ones are rejected. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
}

export interface FairQueueClock {
  readonly monotonic: () => number;
  /** Calls back after the event loop has read from its connections. */
  readonly nextTurn: (work: () => void) => void;
}

interface WaitingRequest {
  readonly since: number;
  readonly start: () => void;
  readonly reject: (error: ApiError) => void;
}

const RETRY_AFTER_S = 2;

const overloadError = (): ApiError => {
  const message = `The bridge has too many requests. Try again after ${RETRY_AFTER_S} seconds`;
  return new ApiError('unavailable', message, {}, { 'retry-after': String(RETRY_AFTER_S) });
};

/**
 * Runs requests at once while there are few. Under load requests wait, and organizations take turns, so that the requests of
 * one organization do not delay those of another.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #clock: FairQueueClock;
  /** By organization, in the order of their turns. Lists are never empty. */
  readonly #waiting = new Map<string, WaitingRequest[]>();
  #running = 0;
  #started = 0;
  #isTurnAwaited = false;

  constructor(limits: FairQueueLimits, clock: FairQueueClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  async run<T>(organization: string, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.size > 0 || !this.#canStart()) await this.#wait(organization);
    else this.#count();
    try {
      return await work();
    } finally {
      this.#running--;
      if (this.#waiting.size > 0) this.#awaitTurn();
    }
  }

  #canStart(): boolean {
    return this.#running < this.#limits.maxRunning && this.#started < this.#limits.startsPerTurn;
  }

  #count(): void {
    this.#running++;
    this.#started++;
    this.#awaitTurn();
  }

  #wait(organization: string): Promise<void> {
    const queue = this.#waiting.get(organization) ?? [];
    if (queue.length >= this.#limits.maxWaiting) throw overloadError();
    this.#waiting.set(organization, queue);
    this.#awaitTurn();
    return new Promise((start, reject) => queue.push({ since: this.#clock.monotonic(), start, reject }));
  }

  #awaitTurn(): void {
    if (this.#isTurnAwaited) return;
    this.#isTurnAwaited = true;
    this.#clock.nextTurn(() => {
      this.#isTurnAwaited = false;
      this.#started = 0;
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    const now = this.#clock.monotonic();
    while (this.#canStart()) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [organization, queue] = first;
      const request = queue.shift()!;
      // The organization goes to the end of the order.
      this.#waiting.delete(organization);
      if (queue.length > 0) this.#waiting.set(organization, queue);
      if (now - request.since <= this.#limits.maxWaitMs) {
        this.#count();
        request.start();
      } else {
        // A rejection takes a part of the turn too.
        this.#started++;
        request.reject(overloadError());
      }
    }
    if (this.#running < this.#limits.maxRunning && this.#waiting.size > 0) this.#awaitTurn();
  }
}
