import { performance } from 'node:perf_hooks';
import type { Storage } from '../storage/open-storage.ts';
import { eventIsGone, failureRecord, successRecord, type Tried } from './attempt-record.ts';
import type { OutcomeRecorder } from './outcome-recorder.ts';
import type { Payloads } from './payload.ts';
import {
  endDeliveries,
  findReceiver,
  type PendingDelivery,
  pendingDeliveries,
  type Receiver,
} from './pending-deliveries.ts';
import type { WebhookClient } from './webhook-client.ts';

export interface LaneDependencies {
  readonly storage: Storage;
  readonly client: WebhookClient;
  readonly payloads: Payloads;
  readonly recorder: OutcomeRecorder;
  readonly clock: () => number;
  readonly random: () => number;
  readonly secretOf: (receiver: Receiver) => string;
  /** For a receiver that has failed for too long. */
  readonly disable: (receiver: Receiver) => Promise<void>;
  /** Aborted when the bridge stops. */
  readonly stopping: AbortSignal;
}

const BATCH = 100;
const FAILING_LIMIT_MS = 24 * 60 * 60 * 1000;
/** A lane that is empty is kept for a moment: the next event then needs no claim. */
const HOLD_MS = 300;
/** What another bridge has changed is seen after so long at the latest. */
const REREAD_MS = 1000;
const FROM_THE_START = -1;

/** Why a lane comes to rest: nothing is left to do, or its first event has to wait. */
export interface Rest {
  readonly retryAt: number | null;
}

const nothingLeft: Rest = { retryAt: null };

interface Known {
  readonly receiver: Receiver;
  readonly secret: string;
  readonly readAt: number;
}

/** One webhook's queue, while its lease is ours: event after event, each only when the one before is through. */
export class Lane {
  readonly #dependencies: LaneDependencies;
  readonly #webhookId: string;
  readonly #claimedUntil: number;
  #failingSince: number | null = null;
  #known: Known | null = null;
  /** What was delivered up to here may not be recorded yet: it is not read again. */
  #after = FROM_THE_START;
  #again = false;
  #changed = false;
  #closing = false;
  #endHold: (() => void) | undefined;

  constructor(dependencies: LaneDependencies, webhookId: string, claimedUntil: number) {
    this.#dependencies = dependencies;
    this.#webhookId = webhookId;
    this.#claimedUntil = claimedUntil;
  }

  get organizationId(): string | null {
    return this.#known?.receiver.organization_id ?? null;
  }

  /** Whether something has come that this run has not seen. */
  get hasMore(): boolean {
    return this.#again || this.#changed;
  }

  /** More may have come since the queue was read. */
  wake(): void {
    this.#again = true;
    this.#endHold?.();
  }

  /** The webhook itself or what is to be delivered has been changed. */
  change(): void {
    this.#changed = true;
    this.#endHold?.();
  }

  /** Finishes what is under way and begins nothing more. */
  close(): void {
    this.#closing = true;
    this.#endHold?.();
  }

  /** Delivers until nothing is due and gives the lease back. */
  async run(): Promise<Rest> {
    const { recorder } = this.#dependencies;
    try {
      return await this.#work();
    } finally {
      recorder.changeLane({ webhook_id: this.#webhookId, failing_since: this.#failingSince, released: 1 });
      await recorder.written();
    }
  }

  async #work(): Promise<Rest> {
    const { storage } = this.#dependencies;
    for (;;) {
      const known = await this.#current();
      if (known === null) return nothingLeft;
      this.#again = false;
      const deliveries = await pendingDeliveries(storage.rows, this.#webhookId, this.#after, BATCH);
      const rest = await this.#deliverAll(known, deliveries);
      if (rest !== null) return rest;
      if (this.#changed) continue;
      this.#after = deliveries.at(-1)?.position ?? this.#after;
      if (deliveries.length < BATCH && !(await this.#moreComes())) return nothingLeft;
    }
  }

  /** The webhook as it is; null when nothing may be sent to it. */
  async #current(): Promise<Known | null> {
    if (this.#known !== null && !this.#changed && performance.now() - this.#known.readAt < REREAD_MS) {
      return this.#known;
    }
    const { storage, recorder, secretOf } = this.#dependencies;
    // What was delivered must be recorded before the queue is read from its start.
    if (this.#after !== FROM_THE_START) await recorder.written();
    this.#changed = false;
    this.#after = FROM_THE_START;
    const receiver = await findReceiver(storage.rows, this.#webhookId);
    if (receiver === undefined) return null;
    if (this.#known === null) this.#failingSince = receiver.failing_since;
    this.#known = { receiver, secret: secretOf(receiver), readAt: performance.now() };
    if (receiver.is_deleted === 1) await endDeliveries(storage.writer, receiver.id, 'the webhook was deleted');
    return receiver.is_deleted === 1 || receiver.is_enabled === 0 ? null : this.#known;
  }

  /** Null when all of them are through, or when the webhook was changed meanwhile. */
  async #deliverAll(known: Known, deliveries: readonly PendingDelivery[]): Promise<Rest | null> {
    const { payloads, clock } = this.#dependencies;
    const unbuilt = deliveries.filter(({ body }) => body === null).map(({ event_id }) => event_id);
    const bodies = unbuilt.length === 0 ? null : await payloads.bodiesFor(known.receiver, unbuilt);
    for (const delivery of deliveries) {
      if (this.#changed) return null;
      if (this.#mustStop()) return nothingLeft;
      if (delivery.next_attempt_at !== null && delivery.next_attempt_at > clock()) {
        return { retryAt: delivery.next_attempt_at };
      }
      const body = delivery.body ?? bodies?.get(delivery.event_id) ?? null;
      const retryAt = await this.#attempt(known, delivery, body);
      if (retryAt !== null) return { retryAt };
    }
    return null;
  }

  #mustStop(): boolean {
    const { stopping, recorder, clock } = this.#dependencies;
    return this.#closing || stopping.aborted || clock() >= Math.max(this.#claimedUntil, recorder.renewedUntil);
  }

  async #moreComes(): Promise<boolean> {
    if (!this.hasMore && !this.#closing) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, HOLD_MS);
        this.#endHold = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#endHold = undefined;
    }
    return this.hasMore && !this.#mustStop();
  }

  /** When to try again; null when the next one may go. */
  async #attempt({ receiver, secret }: Known, delivery: PendingDelivery, body: string | null): Promise<number | null> {
    const { client, clock, stopping } = this.#dependencies;
    const startedAt = clock();
    const attempt = body === null ? eventIsGone : await client.post({ url: receiver.url, secret, body }, stopping);
    // Cut off by ourselves: nobody has failed.
    if (stopping.aborted && attempt.error !== null) return null;
    const tried = { receiver, delivery, body, attempt, startedAt };
    return attempt.error === null ? this.#succeeded(tried) : this.#failed(tried);
  }

  #succeeded(tried: Tried): null {
    const { recorder } = this.#dependencies;
    recorder.record(successRecord(tried));
    if (this.#failingSince === null) return null;
    this.#failingSince = null;
    recorder.changeLane({ webhook_id: this.#webhookId, failing_since: null, released: 0 });
    return null;
  }

  async #failed(tried: Tried): Promise<number | null> {
    const { recorder, clock, random, disable } = this.#dependencies;
    const now = clock();
    const record = failureRecord(tried, now, random());
    recorder.record(record);
    if (tried.body === null) return null;
    this.#failingSince ??= tried.startedAt;
    if (now - this.#failingSince < FAILING_LIMIT_MS) return record.next_attempt_at;
    await disable(tried.receiver);
    this.#failingSince = null;
    this.#changed = true;
    return record.next_attempt_at;
  }
}
