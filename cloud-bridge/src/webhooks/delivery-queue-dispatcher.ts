import { setTimeout as delay } from 'node:timers/promises';
import { repeatEvery } from '@lintel/service/timing/repeating-timer';
import type { Storage } from '../storage/open-storage.ts';
import { WebhookQueueWorker, type WebhookQueueWorkerDependencies } from './queue-worker.ts';
import { acquireWebhookQueueLeases, releaseDeadWebhookQueueLeases, WEBHOOK_QUEUE_LEASE_MS } from './queue-leases.ts';
import { hasLeaseOwnerEnded } from '../tasks/lease-owner.ts';
import type { WebhookDeliveryRecorder } from './batched-delivery-and-lease-writer.ts';

export interface WebhookDispatcherDependencies {
  readonly storage: Storage;
  readonly owner: string;
  readonly clock: () => number;
  readonly recorder: WebhookDeliveryRecorder;
  readonly createWorkerDependencies: (stopping: AbortSignal) => WebhookQueueWorkerDependencies;
  readonly onError: (error: unknown) => void;
  /** How often all queues are checked for due deliveries without a wake-up. */
  readonly sweepMs: number;
}

/** Receivers that are called concurrently. */
const MAX_WORKERS = 2000;
const RENEW_MS = WEBHOOK_QUEUE_LEASE_MS / 3;
/** Another bridge held the lease and may have been about to release it. */
const LEASE_RETRY_MS = 100;
const SHUTDOWN_TIMEOUT_MS = 1000;

/** Leases queues with due deliveries and runs a worker for each, concurrently. */
export class WebhookDispatcher {
  readonly #dependencies: WebhookDispatcherDependencies;
  readonly #workerDependencies: WebhookQueueWorkerDependencies;
  readonly #stop = new AbortController();
  readonly #workers = new Map<string, WebhookQueueWorker>();
  readonly #runs = new Set<Promise<void>>();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  readonly #stopTimers: Array<() => void> = [];
  #wokenIds = new Set<string>();
  #sweepRequested = false;
  #leasing: Promise<void> | undefined;
  #isClosing = false;

  constructor(dependencies: WebhookDispatcherDependencies) {
    this.#dependencies = dependencies;
    this.#workerDependencies = dependencies.createWorkerDependencies(this.#stop.signal);
  }

  async start(): Promise<void> {
    const { storage, sweepMs, recorder } = this.#dependencies;
    // Only with SQLite all lease owners are processes of this machine.
    if (storage.engine === 'sqlite') await releaseDeadWebhookQueueLeases(storage, hasLeaseOwnerEnded);
    const renew = (): void => {
      if (this.#workers.size > 0) recorder.renewLeases();
    };
    const { onError } = this.#dependencies;
    this.#stopTimers.push(
      repeatEvery(sweepMs, () => this.#sweep(), onError),
      repeatEvery(RENEW_MS, renew, onError),
    );
    this.#sweep();
  }

  /** Call when these webhooks have new deliveries. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) {
      const worker = this.#workers.get(id);
      if (worker === undefined) this.#wokenIds.add(id);
      else worker.wake();
    }
    this.#startLeasing();
  }

  /** Call when these webhooks were edited or deleted. */
  reload(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) {
      const worker = this.#workers.get(id);
      if (worker === undefined) this.#wokenIds.add(id);
      else worker.reload();
    }
    this.#startLeasing();
  }

  /** Call when another bridge has committed events of this organization; null: of any organization. */
  wakeOrganization(organizationId: string | null): void {
    for (const worker of this.#workers.values()) {
      if (organizationId === null || worker.organizationId === organizationId) worker.recheck();
    }
  }

  /** Waits briefly for running requests, then aborts them and releases the leases. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const stop of this.#stopTimers) stop();
    for (const timer of this.#retries.values()) clearTimeout(timer);
    await this.#leasing;
    for (const worker of this.#workers.values()) worker.close();
    const deadline = new AbortController();
    const runs = Promise.allSettled(this.#runs);
    await Promise.race([
      runs,
      delay(SHUTDOWN_TIMEOUT_MS, undefined, { signal: deadline.signal }).catch(() => undefined),
    ]);
    deadline.abort();
    this.#stop.abort();
    await runs;
    await this.#dependencies.recorder.close();
  }

  #sweep(): void {
    this.#sweepRequested = true;
    this.wakeOrganization(null);
    this.#startLeasing();
  }

  #startLeasing(): void {
    if (this.#leasing !== undefined || this.#isClosing) return;
    this.#leasing = this.#leaseWoken()
      .catch(this.#dependencies.onError)
      .finally(() => {
        this.#leasing = undefined;
        if (this.#wokenIds.size > 0 || this.#sweepRequested) this.#startLeasing();
      });
  }

  async #leaseWoken(): Promise<void> {
    // Leases all webhooks that are woken in this turn of the event loop with one statement.
    await new Promise(resolve => setImmediate(resolve));
    const wokenIds = [...this.#wokenIds];
    const isSweep = this.#sweepRequested;
    this.#wokenIds = new Set();
    this.#sweepRequested = false;
    const leased = await this.#lease(isSweep ? null : wokenIds);
    if (isSweep) return;
    const notLeased = wokenIds.filter(id => !leased.has(id));
    if (notLeased.length > 0) setTimeout(() => this.#leaseLater(notLeased), LEASE_RETRY_MS).unref();
  }

  #leaseLater(webhookIds: readonly string[]): void {
    if (!this.#isClosing) void this.#lease(webhookIds).catch(this.#dependencies.onError);
  }

  async #lease(webhookIds: readonly string[] | null): Promise<ReadonlySet<string>> {
    const { storage, owner, clock } = this.#dependencies;
    const limit = MAX_WORKERS - this.#workers.size;
    if (limit <= 0 || webhookIds?.length === 0) return new Set();
    const now = clock();
    const leased = await acquireWebhookQueueLeases(storage, { owner, now, webhookIds, limit });
    for (const id of leased) this.#startWorker(id, now + WEBHOOK_QUEUE_LEASE_MS);
    return new Set(leased);
  }

  #startWorker(webhookId: string, leasedUntil: number): void {
    const running = this.#workers.get(webhookId);
    if (running !== undefined) {
      // The lease of this bridge expired, for example because the clock was set. Its worker continues.
      running.wake();
      return;
    }
    clearTimeout(this.#retries.get(webhookId));
    this.#retries.delete(webhookId);
    const worker = new WebhookQueueWorker(this.#workerDependencies, webhookId, leasedUntil);
    this.#workers.set(webhookId, worker);
    const run = this.#run(webhookId, worker);
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
  }

  async #run(webhookId: string, worker: WebhookQueueWorker): Promise<void> {
    try {
      const { retryAt } = await worker.run();
      if (retryAt !== null) this.#retryAt(webhookId, retryAt);
    } catch (error) {
      this.#dependencies.onError(error);
    }
    this.#workers.delete(webhookId);
    if (worker.hasMore) this.wake([webhookId]);
  }

  #retryAt(webhookId: string, at: number): void {
    if (this.#isClosing) return;
    const wake = (): void => {
      this.#retries.delete(webhookId);
      this.wake([webhookId]);
    };
    // A timer may fire slightly early, before the delivery is due.
    const wait = Math.max(0, at - this.#dependencies.clock()) + 2;
    this.#retries.set(webhookId, setTimeout(wake, wait).unref());
  }
}
