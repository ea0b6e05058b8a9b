import type { Monotonic } from '@lintel/access-core/monotonic';
import { type ChainDepths, depthOf, rememberDepth } from '@lintel/access-core/triggers/chain-depth';
import { fireTriggers, type Happening, type TriggerEffect } from '@lintel/access-core/triggers/fire-triggers';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock';
import type { PeerGadgets } from '../gadgets/peer-gadgets.ts';
import type { WallClock } from '../clock/wall-clock.ts';
import type { EventLog } from '../events/event-log.ts';
import { actionFields, type ActionOrder, type ActionExecutor } from './action-executor.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';

interface TriggerRunnerParts {
  readonly snapshot: () => ActiveSnapshot;
  readonly executor: ActionExecutor;
  readonly peers: PeerGadgets;
  readonly log: EventLog;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  /** Begins a turn once a peer has answered. */
  readonly turn: (work: () => void) => void;
}

type Executors = {
  readonly [T in TriggerEffect['type']]: (effect: Extract<TriggerEffect, { type: T }>) => void;
};

/** Gadgets that set one another off, without the cloud. */
export class TriggerRunner {
  readonly #parts: TriggerRunnerParts;
  #depths: ChainDepths = new Map();

  readonly #executors: Executors = {
    execute_action: effect => {
      const { snapshot } = this.#parts;
      const { gadget_id, trigger_id } = effect;
      const order: ActionOrder = { ...actionFields(effect), subject: null, gadget_trigger_id: trigger_id };
      if (!snapshot().isOwn(gadget_id)) void this.#askPeer(order, effect);
      else this.execute(order, effect.depth);
    },
    trigger_chain_stopped: ({ trigger_ids, depth }) => {
      const gadget_trigger_id = trigger_ids[0]!;
      const fault = `a chain of triggers was stopped at depth ${depth}`;
      this.#parts.log.record({ kind: 'trigger_chain_stopped', gadget_trigger_id, fault });
    },
  };

  constructor(parts: TriggerRunnerParts) {
    this.#parts = parts;
  }

  /** Performs an order of a trigger, here or for another controller, and remembers how deep its chain is. */
  execute(order: ActionOrder, depth: number): ReturnType<ActionExecutor['execute']> {
    const now = this.#parts.clock.now();
    this.remember(order, depth, now);
    return this.#parts.executor.execute(order, now);
  }

  /** To be told of every action; a person's has depth 0. */
  remember({ gadget_id }: ActionOrder, depth: number, now: Monotonic): void {
    this.#depths = rememberDepth(this.#depths, gadget_id, depth, now);
  }

  happened(happening: Happening): void {
    const { snapshot, clock } = this.#parts;
    const depth = happening.type === 'schedule' ? 0 : depthOf(this.#depths, happening.gadget_id, clock.now());
    for (const effect of fireTriggers(snapshot().triggers, happening, depth)) this.#execute(effect);
  }

  #execute<T extends TriggerEffect['type']>(effect: Extract<TriggerEffect, { type: T }>): void {
    (this.#executors[effect.type] as (effect: TriggerEffect) => void)(effect);
  }

  async #askPeer(order: ActionOrder, effect: Extract<TriggerEffect, { type: 'execute_action' }>): Promise<void> {
    const { peers, wall, log, turn } = this.#parts;
    const { outcome } = await peers.execute({
      gadget_id: effect.gadget_id,
      action_id: effect.action_id,
      occurred_at: wall.now(),
      time_trusted: wall.trusted(),
      subject: null,
      trigger: { gadget_trigger_id: effect.trigger_id, depth: effect.depth },
    });
    if (outcome === 'unreachable') turn(() => log.record({ ...order, kind: 'fault', fault: 'gadget_unreachable' }));
  }
}
