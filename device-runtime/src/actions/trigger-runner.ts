import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import {
  type TriggerChainDepths,
  getTriggerChainDepth,
  setTriggerChainDepth,
} from '@lintel/access-core/triggers/trigger-chain-depths';
import {
  computeTriggerEffects,
  type TriggerInput,
  type TriggerEffect,
} from '@lintel/access-core/triggers/compute-trigger-effects';
import type { MonotonicClock } from '@lintel/service/timing/monotonic-clock-interface';
import type { PeerActionExecutor } from '../gadgets/peer-action-executor-interface.ts';
import type { WallClock } from '../clock/wall-clock-interface.ts';
import type { EventLog } from '../events/event-log.ts';
import { toApprovedActionFields, type ApprovedAction, type ActionExecutor } from './action-executor.ts';
import type { ActiveSnapshot } from '../snapshot/active-snapshot.ts';

interface TriggerRunnerDependencies {
  readonly snapshot: () => ActiveSnapshot;
  readonly executor: ActionExecutor;
  readonly peers: PeerActionExecutor;
  readonly log: EventLog;
  readonly clock: MonotonicClock;
  readonly wall: WallClock;
  /** Runs work in a turn of its own after the response of a peer. */
  readonly turn: (work: () => void) => void;
}

type Executors = {
  readonly [T in TriggerEffect['type']]: (effect: Extract<TriggerEffect, { type: T }>) => void;
};

/** Runs gadget triggers on site, without the cloud. */
export class TriggerRunner {
  readonly #parts: TriggerRunnerDependencies;
  #depths: TriggerChainDepths = new Map();

  readonly #executors: Executors = {
    execute_action: effect => {
      const { snapshot } = this.#parts;
      const { gadget_id, trigger_id } = effect;
      const order: ApprovedAction = { ...toApprovedActionFields(effect), subject: null, gadget_trigger_id: trigger_id };
      if (!snapshot().isOwn(gadget_id)) void this.#askPeer(order, effect);
      else this.execute(order, effect.depth);
    },
    trigger_chain_stopped: ({ trigger_ids, depth }) => {
      const gadget_trigger_id = trigger_ids[0]!;
      const fault = `A chain of triggers was stopped at depth ${depth}`;
      this.#parts.log.record({ kind: 'trigger_chain_stopped', gadget_trigger_id, fault });
    },
  };

  constructor(parts: TriggerRunnerDependencies) {
    this.#parts = parts;
  }

  /** Executes the action of a trigger and records how deep its chain is. */
  execute(order: ApprovedAction, depth: number): ReturnType<ActionExecutor['execute']> {
    const now = this.#parts.clock.now();
    this.recordDepth(order, depth, now);
    return this.#parts.executor.execute(order, now);
  }

  /** To be called for every action. An action of a person has depth 0. */
  recordDepth({ gadget_id }: ApprovedAction, depth: number, now: MonotonicTime): void {
    this.#depths = setTriggerChainDepth(this.#depths, gadget_id, depth, now);
  }

  handle(input: TriggerInput): void {
    const { snapshot, clock } = this.#parts;
    const depth = input.type === 'schedule' ? 0 : getTriggerChainDepth(this.#depths, input.gadget_id, clock.now());
    for (const effect of computeTriggerEffects(snapshot().triggers, input, depth)) this.#execute(effect);
  }

  #execute<T extends TriggerEffect['type']>(effect: Extract<TriggerEffect, { type: T }>): void {
    (this.#executors[effect.type] as (effect: TriggerEffect) => void)(effect);
  }

  async #askPeer(order: ApprovedAction, effect: Extract<TriggerEffect, { type: 'execute_action' }>): Promise<void> {
    const { peers, wall, log, turn } = this.#parts;
    const { outcome } = await peers.execute({
      gadget_id: effect.gadget_id,
      action_id: effect.action_id,
      occurred_at: wall.now(),
      time_trusted: wall.isTrusted(),
      subject: null,
      trigger: { gadget_trigger_id: effect.trigger_id, depth: effect.depth },
    });
    if (outcome === 'unreachable') turn(() => log.record({ ...order, kind: 'fault', fault: 'gadget_unreachable' }));
  }
}
