import { setTimeout as delay } from 'node:timers/promises';
import type { Storage } from '../storage/open-storage.ts';
import { Lane, type LaneDependencies } from './lane.ts';
import { claimLanes, freeLanesOf, LEASE_MS } from './lanes.ts';
import { isDeadOwner } from './lease-owner.ts';
import type { OutcomeRecorder } from './outcome-recorder.ts';

export interface DispatcherDependencies {
  readonly storage: Storage;
  readonly owner: string;
  readonly clock: () => number;
  readonly recorder: OutcomeRecorder;
  readonly laneWith: (stopping: AbortSignal) => LaneDependencies;
  readonly onError: (error: unknown) => void;
  /** How often all lanes are looked over for what nobody was woken for. */
  readonly sweepMs: number;
}

/** Receivers that are being called at the same time. A slow one keeps no other waiting until there are so many of them. */
const MOST_LANES = 2000;
const RENEW_MS = LEASE_MS / 3;
/** Another bridge had the lane, and may have been just about to give it back. */
const SECOND_LOOK_MS = 100;
const LAST_ANSWERS_MS = 1000;

/** Takes up lanes that have something due and runs them side by side. */
export class Dispatcher {
  readonly #dependencies: DispatcherDependencies;
  readonly #lanes: LaneDependencies;
  readonly #stop = new AbortController();
  readonly #active = new Map<string, Lane>();
  readonly #runs = new Set<Promise<void>>();
  readonly #retries = new Map<string, NodeJS.Timeout>();
  readonly #timers: NodeJS.Timeout[] = [];
  #wanted = new Set<string>();
  #sweeps = false;
  #looking: Promise<void> | undefined;
  #closing = false;

  constructor(dependencies: DispatcherDependencies) {
    this.#dependencies = dependencies;
    this.#lanes = dependencies.laneWith(this.#stop.signal);
  }

  async start(): Promise<void> {
    const { storage, sweepMs, recorder } = this.#dependencies;
    // Only there all who share the database are surely processes of this machine.
    if (storage.engine === 'sqlite') await freeLanesOf(storage, isDeadOwner);
    const renew = (): void => {
      if (this.#active.size > 0) recorder.renew();
    };
    this.#timers.push(setInterval(() => this.#sweep(), sweepMs).unref(), setInterval(renew, RENEW_MS).unref());
    this.#sweep();
  }

  /** There is something new for these. */
  wake(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) {
      const lane = this.#active.get(id);
      if (lane === undefined) this.#wanted.add(id);
      else lane.wake();
    }
    this.#look();
  }

  /** These were edited or deleted: what is known of them no longer counts. */
  changed(webhookIds: Iterable<string>): void {
    for (const id of webhookIds) {
      const lane = this.#active.get(id);
      if (lane === undefined) this.#wanted.add(id);
      else lane.change();
    }
    this.#look();
  }

  /** Another bridge has committed something of this organization; null: perhaps, of any. */
  stir(organizationId: string | null): void {
    for (const lane of this.#active.values()) {
      if (organizationId === null || lane.organizationId === organizationId) lane.wake();
    }
  }

  /** Answers that are about to come are awaited, then the lanes are free for the next bridge. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const timer of [...this.#timers, ...this.#retries.values()]) clearTimeout(timer);
    await this.#looking;
    for (const lane of this.#active.values()) lane.close();
    const patience = new AbortController();
    const runs = Promise.allSettled(this.#runs);
    await Promise.race([runs, delay(LAST_ANSWERS_MS, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    this.#stop.abort();
    await runs;
    await this.#dependencies.recorder.close();
  }

  #sweep(): void {
    this.#sweeps = true;
    this.stir(null);
    this.#look();
  }

  #look(): void {
    if (this.#looking !== undefined || this.#closing) return;
    this.#looking = this.#claimWanted()
      .catch(this.#dependencies.onError)
      .finally(() => {
        this.#looking = undefined;
        if (this.#wanted.size > 0 || this.#sweeps) this.#look();
      });
  }

  async #claimWanted(): Promise<void> {
    // Whoever is woken in this turn of the event loop is claimed in one statement.
    await new Promise(resolve => setImmediate(resolve));
    const wanted = [...this.#wanted];
    const sweeps = this.#sweeps;
    this.#wanted = new Set();
    this.#sweeps = false;
    const claimed = await this.#claim(sweeps ? null : wanted);
    if (sweeps) return;
    const missed = wanted.filter(id => !claimed.has(id));
    if (missed.length > 0) setTimeout(() => this.#claimLater(missed), SECOND_LOOK_MS).unref();
  }

  #claimLater(webhookIds: readonly string[]): void {
    if (!this.#closing) void this.#claim(webhookIds).catch(this.#dependencies.onError);
  }

  async #claim(webhookIds: readonly string[] | null): Promise<ReadonlySet<string>> {
    const { storage, owner, clock } = this.#dependencies;
    const most = MOST_LANES - this.#active.size;
    if (most <= 0 || webhookIds?.length === 0) return new Set();
    const now = clock();
    const claimed = await claimLanes(storage, { owner, now, webhookIds, most });
    for (const id of claimed) this.#open(id, now + LEASE_MS);
    return new Set(claimed);
  }

  #open(webhookId: string, claimedUntil: number): void {
    const running = this.#active.get(webhookId);
    if (running !== undefined) {
      // Our own lease ran out, as when the clock is set: there is still only one of us.
      running.wake();
      return;
    }
    clearTimeout(this.#retries.get(webhookId));
    this.#retries.delete(webhookId);
    const lane = new Lane(this.#lanes, webhookId, claimedUntil);
    this.#active.set(webhookId, lane);
    const run = this.#run(webhookId, lane);
    this.#runs.add(run);
    void run.finally(() => this.#runs.delete(run));
  }

  async #run(webhookId: string, lane: Lane): Promise<void> {
    try {
      const { retryAt } = await lane.run();
      if (retryAt !== null) this.#retryAt(webhookId, retryAt);
    } catch (error) {
      this.#dependencies.onError(error);
    }
    this.#active.delete(webhookId);
    if (lane.hasMore) this.wake([webhookId]);
  }

  #retryAt(webhookId: string, at: number): void {
    if (this.#closing) return;
    const wake = (): void => {
      this.#retries.delete(webhookId);
      this.wake([webhookId]);
    };
    // A timer may fire a moment early, and then the event would not be due yet.
    const wait = Math.max(0, at - this.#dependencies.clock()) + 2;
    this.#retries.set(webhookId, setTimeout(wake, wait).unref());
  }
}
