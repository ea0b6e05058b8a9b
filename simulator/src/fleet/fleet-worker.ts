import { createSignatureVerifier } from '@lintel/crypto/verify-ed25519';
import { Backoff } from '@lintel/service/timing/backoff';
import { ProcessClock } from '@lintel/service/timing/process-monotonic-clock';
import { createFleetBrokerConnector } from './broker-connector.ts';
import { FleetController } from './fleet-controller.ts';
import type { SharedFleetClaimData, FleetDevice } from './fleet-device-identity.ts';
import { FleetMetrics, monotonicNowMs, type FleetMetricsSnapshot } from './fleet-metrics.ts';
import { forEachWithConcurrency } from './for-each-with-concurrency.ts';
import { type FleetTapRate, FleetTapGenerator } from './tap-generator.ts';

/** More concurrent handshakes would time out in the broker's queue. */
export const MAX_CONCURRENT_CONNECTS = 128;
/** Limit of the mode `flood`. With more pending taps, the latencies would measure a queue. */
const MAX_PENDING_TAPS = 256;
const PING_MS = 30_000;
const MIN_WAIT_MS = 1;
const MAX_WAIT_MS = 1000;

export interface FleetWorkerOptions {
  readonly enrollment: SharedFleetClaimData;
  readonly devices: readonly FleetDevice[];
  readonly broker: string;
}

/** `rhythm`: taps at random times with a given rate. `flood`: as many taps as the bridge commits. */
export type FleetTapMode = { readonly kind: 'rhythm'; readonly plan: FleetTapRate } | { readonly kind: 'flood' };

/** Runs the controllers of one process. */
export class FleetWorker {
  readonly #metrics = new FleetMetrics();
  readonly #controllers: readonly FleetController[];
  readonly #backoffs = new Map<FleetController, Backoff>();
  readonly #pingTimer: NodeJS.Timeout;
  #isStopped = false;
  #isPaused = false;
  #isFlooding = false;
  #nextDoor = -1;
  #tapTimer: NodeJS.Timeout | undefined;

  constructor({ enrollment, devices, broker }: FleetWorkerOptions) {
    const options = {
      organization: { id: enrollment.organization_id, verify: createSignatureVerifier(enrollment.organization_key) },
      clock: new ProcessClock(),
      connector: createFleetBrokerConnector(broker, enrollment.ca_certificate, enrollment.organization_id),
      metrics: this.#metrics,
      onLost: (controller: FleetController) => this.#reconnectLater(controller),
      onCommitted: () => {
        if (this.#isFlooding) this.#tapNext();
      },
    };
    this.#controllers = devices.map(device => new FleetController(device, options));
    this.#pingTimer = setInterval(() => {
      for (const controller of this.#controllers) controller.ping();
    }, PING_MS);
  }

  /** Connects all controllers at once, as after a large power cut. Failed connections are retried. */
  async connect(): Promise<void> {
    this.#isPaused = false;
    this.#metrics.clocks.started_at = monotonicNowMs();
    await forEachWithConcurrency(this.#controllers, MAX_CONCURRENT_CONNECTS, controller => this.#connect(controller));
  }

  /** Ends all connections. Controllers keep their snapshots and wait for `connect`. */
  disconnect(): void {
    this.#isPaused = true;
    for (const controller of this.#controllers) controller.reconnect();
  }

  async #connect(controller: FleetController): Promise<void> {
    if (this.#isStopped || this.#isPaused) return;
    try {
      await controller.connect();
      this.#backoffs.delete(controller);
    } catch {
      this.#metrics.counts.refused_connections++;
      this.#reconnectLater(controller);
    }
  }

  #reconnectLater(controller: FleetController): void {
    if (this.#isStopped || this.#isPaused) return;
    const backoff = this.#backoffs.get(controller) ?? new Backoff({ firstMs: 500, longestMs: 30_000 }, Math.random);
    this.#backoffs.set(controller, backoff);
    setTimeout(() => void this.#connect(controller), backoff.next());
  }

  startTaps(mode: FleetTapMode): void {
    this.stopTaps();
    if (mode.kind === 'rhythm') {
      this.#scheduleTaps(new FleetTapGenerator(mode.plan, this.#controllers.length, monotonicNowMs(), Math.random));
      return;
    }
    this.#isFlooding = true;
    for (let pending = 0; pending < Math.min(MAX_PENDING_TAPS, this.#controllers.length); pending++) this.#tapNext();
  }

  /** Taps at each door in turn. */
  #tapNext(): void {
    this.#nextDoor = (this.#nextDoor + 1) % this.#controllers.length;
    this.#controllers[this.#nextDoor]?.tap(Math.random);
  }

  #scheduleTaps(source: FleetTapGenerator): void {
    const wait = Math.min(Math.max(source.next - monotonicNowMs(), MIN_WAIT_MS), MAX_WAIT_MS);
    this.#tapTimer = setTimeout(() => {
      for (const door of source.due(monotonicNowMs())) this.#controllers[door]?.tap(Math.random);
      this.#scheduleTaps(source);
    }, wait);
  }

  /** Waiting events are still uploaded. */
  stopTaps(): void {
    this.#isFlooding = false;
    clearTimeout(this.#tapTimer);
  }

  snapshot(): FleetMetricsSnapshot {
    this.#metrics.counts.waiting = this.#controllers.reduce((sum, { waiting }) => sum + waiting, 0);
    this.#metrics.counts.refused_messages = this.#controllers.reduce((sum, { dropped }) => sum + dropped, 0);
    return this.#metrics.snapshot();
  }

  stop(): void {
    this.#isStopped = true;
    this.stopTaps();
    clearInterval(this.#pingTimer);
    for (const controller of this.#controllers) controller.stop();
  }
}
