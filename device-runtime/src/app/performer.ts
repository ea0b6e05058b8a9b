import type { DeviceId, GadgetTriggerId } from '@lintel/access-core/ids';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { ActingSubject } from '../ports/peer-gadgets.ts';
import type { EventDraft, EventLog } from './event-log.ts';
import type { GadgetBoard } from './gadget-board.ts';
import type { Plan, Told } from './gadget-effects.ts';
import type { Target } from './judge.ts';

/** An action that has been decided and is to be done here. */
export interface Order {
  readonly target: Target;
  readonly subject: ActingSubject | null;
  /** The controller that read the credential, when it was another one. */
  readonly reader_device_id?: DeviceId;
  readonly gadget_trigger_id?: GadgetTriggerId;
  readonly request_id?: string;
  readonly detail?: string;
}

export type Performed =
  | { readonly outcome: 'done'; readonly event: DeviceEvent }
  | { readonly outcome: 'interlocked' | 'failed'; readonly reason: string; readonly event: DeviceEvent };

const LONGEST_FAULT = 200;

export const describeOrder = ({ target, ...order }: Order): Omit<EventDraft, 'kind'> => ({
  ...order,
  gadget_id: target.gadget_id,
  gadget_action_id: target.action_id,
});

const switchesOn = ({ effect }: Told): boolean => effect.type === 'energize_strike' || effect.type === 'output_on';

/** The one way in which a gadget is moved: plan, write, move. */
export class Performer {
  readonly #board: GadgetBoard;
  readonly #log: EventLog;

  constructor(board: GadgetBoard, log: EventLog) {
    this.#board = board;
    this.#log = log;
  }

  perform(order: Order, now: Monotonic): Performed {
    const plan = this.#board.plan(order.target.gadget_id, order.target.action_id, now);
    if (plan === null) return this.#notDone(order, 'failed', 'nothing is wired for this action');
    if (plan.refusal !== null) {
      this.#carryOut(plan);
      return this.#notDone(order, 'interlocked', plan.refusal);
    }
    const { gadget_id } = order.target;
    const obstacle = this.#board.obstacle(gadget_id, plan.told);
    if (obstacle !== null) {
      // Being switched off is remembered: the board does it as soon as it is back.
      if (!plan.told.some(switchesOn)) this.#carryOut(plan);
      return this.#notDone(order, 'failed', obstacle);
    }
    const [event] = this.#log.record({ kind: 'use', ...describeOrder(order) });
    this.#carryOut(plan);
    const failure = this.#board.failure(gadget_id, plan.told);
    return failure === null ? { outcome: 'done', event: event! } : this.#notDone(order, 'failed', failure);
  }

  #carryOut(plan: Plan): void {
    plan.commit();
    this.#board.execute(plan.told);
  }

  #notDone(order: Order, outcome: 'interlocked' | 'failed', reason: string): Performed {
    const fault = reason.slice(0, LONGEST_FAULT);
    const [event] = this.#log.record({ kind: 'fault', fault, ...describeOrder(order) });
    return { outcome, reason, event: event! };
  }
}
