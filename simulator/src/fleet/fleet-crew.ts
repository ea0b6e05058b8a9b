import { signatureVerifier } from '@lintel/crypto/ed25519';
import { Backoff } from '@lintel/service/timing/backoff';
import { ProcessClock } from '@lintel/service/timing/process-clock';
import { dialingTo } from './dialing.ts';
import { FleetController } from './fleet-controller.ts';
import type { FleetHome, FleetMember } from './fleet-member.ts';
import { FleetTally, monotonicMs, type TallyCounts } from './fleet-tally.ts';
import { mapWithConcurrency } from './map-with-concurrency.ts';
import { type TapPlan, TapSource } from './tap-source.ts';

/** So many shake hands at a time: more would only wait in the broker's queue, and longer than it has patience. */
export const CONNECTING_AT_ONCE = 128;
/** Of a flood. With all doors at once the figures would be those of a queue. */
const TAPS_AT_ONCE = 256;
const PING_MS = 30_000;
const SHORTEST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 1000;

export interface CrewTerms {
  readonly home: FleetHome;
  readonly members: readonly FleetMember[];
  readonly broker: string;
}

/** `rhythm`: people come and go. `flood`: as many taps as the bridge commits, a few hundred under way at any time. */
export type TapOrder = { readonly kind: 'rhythm'; readonly plan: TapPlan } | { readonly kind: 'flood' };

/** The controllers of one process. */
export class FleetCrew {
  readonly #tally = new FleetTally();
  readonly #controllers: readonly FleetController[];
  readonly #backoffs = new Map<FleetController, Backoff>();
  readonly #pinging: NodeJS.Timeout;
  #isStopped = false;
  #isFlooding = false;
  #nextDoor = -1;
  #tapping: NodeJS.Timeout | undefined;

  constructor({ home, members, broker }: CrewTerms) {
    const parts = {
      organization: { id: home.organization_id, verify: signatureVerifier(home.organization_key) },
      clock: new ProcessClock(),
      dialing: dialingTo(broker, home.ca_certificate),
      tally: this.#tally,
      onLost: (controller: FleetController) => this.#comeBack(controller),
      onCommitted: () => {
        if (this.#isFlooding) this.#tapNext();
      },
    };
    this.#controllers = members.map(member => new FleetController(member, parts));
    this.#pinging = setInterval(() => {
      for (const controller of this.#controllers) controller.ping();
    }, PING_MS);
  }

  /** All at once, as after a power cut of a town. Whoever does not get in tries again by itself. */
  async connect(): Promise<void> {
    this.#tally.clocks.started_at = monotonicMs();
    await mapWithConcurrency(this.#controllers, CONNECTING_AT_ONCE, controller => this.#dial(controller));
  }

  async #dial(controller: FleetController): Promise<void> {
    if (this.#isStopped) return;
    try {
      await controller.connect();
      this.#backoffs.delete(controller);
    } catch {
      this.#tally.counts.refused_connections++;
      this.#comeBack(controller);
    }
  }

  #comeBack(controller: FleetController): void {
    if (this.#isStopped) return;
    const backoff = this.#backoffs.get(controller) ?? new Backoff({ firstMs: 500, longestMs: 30_000 }, Math.random);
    this.#backoffs.set(controller, backoff);
    setTimeout(() => void this.#dial(controller), backoff.next());
  }

  startTaps(order: TapOrder): void {
    this.stopTaps();
    if (order.kind === 'rhythm') {
      this.#follow(new TapSource(order.plan, this.#controllers.length, monotonicMs(), Math.random));
      return;
    }
    this.#isFlooding = true;
    for (let under = 0; under < Math.min(TAPS_AT_ONCE, this.#controllers.length); under++) this.#tapNext();
  }

  /** At the next door, one after another. */
  #tapNext(): void {
    this.#nextDoor = (this.#nextDoor + 1) % this.#controllers.length;
    this.#controllers[this.#nextDoor]?.tap(Math.random);
  }

  #follow(source: TapSource): void {
    const wait = Math.min(Math.max(source.next - monotonicMs(), SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
    this.#tapping = setTimeout(() => {
      for (const door of source.due(monotonicMs())) this.#controllers[door]?.tap(Math.random);
      this.#follow(source);
    }, wait);
  }

  /** What has been tapped still goes up. */
  stopTaps(): void {
    this.#isFlooding = false;
    clearTimeout(this.#tapping);
  }

  told(): TallyCounts {
    this.#tally.counts.waiting = this.#controllers.reduce((sum, { waiting }) => sum + waiting, 0);
    this.#tally.counts.refused_messages = this.#controllers.reduce((sum, { dropped }) => sum + dropped, 0);
    return this.#tally.told();
  }

  stop(): void {
    this.#isStopped = true;
    this.stopTaps();
    clearInterval(this.#pinging);
    for (const controller of this.#controllers) controller.stop();
  }
}
