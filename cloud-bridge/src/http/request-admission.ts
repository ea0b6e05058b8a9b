import { FairQueue, type FairQueueClock, type FairQueueLimits } from './fair-queue.ts';

interface AdmittedEndpoint {
  readonly method: string;
  readonly managesOwnTransaction?: boolean;
  readonly acceptsBytes?: boolean;
}

/** Above the number of connections to PostgreSQL, so that none is idle. */
const READS: FairQueueLimits = { maxRunning: 24, startsPerTurn: 4, maxWaiting: 1000, maxWaitMs: 15_000 };
/** Writes that wait together share a commit, so many run at the same time. */
const WRITES: FairQueueLimits = { maxRunning: 64, startsPerTurn: 64, maxWaiting: 1000, maxWaitMs: 15_000 };

/** Limits the requests that run at the same time, for each kind separately. */
export class RequestAdmission {
  readonly #reads: FairQueue;
  readonly #writes: FairQueue;

  constructor(clock: FairQueueClock) {
    this.#reads = new FairQueue(READS, clock);
    this.#writes = new FairQueue(WRITES, clock);
  }

  run<T>(endpoint: AdmittedEndpoint, organization: string, work: () => Promise<T>): Promise<T> {
    const { method, managesOwnTransaction, acceptsBytes } = endpoint;
    // They wait for a device or for their body, and would block the others.
    if (managesOwnTransaction === true || acceptsBytes === true) return work();
    return (method === 'GET' ? this.#reads : this.#writes).run(organization, work);
  }
}
