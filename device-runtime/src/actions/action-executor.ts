import type { DeviceId, GadgetId, GadgetTriggerId } from '@lintel/access-core/ids';
import type { Monotonic } from '@lintel/access-core/monotonic';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { ActingSubject } from '../gadgets/peer-gadgets.ts';
import type { EventLog } from '../events/event-log.ts';
import type { GadgetBoard } from '../gadgets/gadget-board.ts';
import type { Plan, Told } from '../gadgets/gadget-effects.ts';
import type { Target } from '../access/access-checker.ts';

/** An action that has been decided and is to be done here, with the fields of its event. */
export interface ActionOrder {
  readonly gadget_id: GadgetId;
  readonly gadget_action_id: string;
  readonly subject: ActingSubject | null;
  /** The controller that read the credential, when it was another one. */
  readonly reader_device_id?: DeviceId;
  readonly gadget_trigger_id?: GadgetTriggerId;
  readonly request_id?: string;
  readonly detail?: string;
}

export type ExecutionResult =
  | { readonly outcome: 'done'; readonly event: DeviceEvent }
  | {
      readonly outcome: 'interlocked' | 'failed';
      readonly reason: string;
      /** Null after an internal error, which is recorded as a fault of the controller. */
      readonly event: DeviceEvent | null;
    };

const LONGEST_FAULT = 200;

export const actionFields = ({
  gadget_id,
  action_id,
}: Target): Pick<ActionOrder, 'gadget_id' | 'gadget_action_id'> => ({
  gadget_id,
  gadget_action_id: action_id,
});

const switchesOn = ({ effect }: Told): boolean => effect.type === 'energize_strike' || effect.type === 'output_on';

/** The one way in which a gadget is moved: plan, write, move. */
export class ActionExecutor {
  readonly #board: GadgetBoard;
  readonly #log: EventLog;

  constructor(board: GadgetBoard, log: EventLog) {
    this.#board = board;
    this.#log = log;
  }

  execute(order: ActionOrder, now: Monotonic): ExecutionResult {
    const { gadget_id, gadget_action_id } = order;
    const plan = this.#board.plan(gadget_id, gadget_action_id, now);
    if (plan === null) return this.#notDone(order, 'failed', 'nothing is wired for this action');
    if (plan.refusal !== null) {
      this.#carryOut(plan);
      return this.#notDone(order, 'interlocked', plan.refusal);
    }
    const obstacle = this.#board.obstacle(gadget_id, plan.told);
    if (obstacle !== null) {
      // Being switched off is remembered: the board does it as soon as it is back.
      if (!plan.told.some(switchesOn)) this.#carryOut(plan);
      return this.#notDone(order, 'failed', obstacle);
    }
    const [event] = this.#log.record({ ...order, kind: 'use' });
    this.#carryOut(plan);
    const failure = this.#board.failure(gadget_id, plan.told);
    return failure === null ? { outcome: 'done', event: event! } : this.#notDone(order, 'failed', failure);
  }

  #carryOut(plan: Plan): void {
    plan.commit();
    this.#board.execute(plan.told);
  }

  #notDone(order: ActionOrder, outcome: 'interlocked' | 'failed', reason: string): ExecutionResult {
    const fault = reason.slice(0, LONGEST_FAULT);
    const [event] = this.#log.record({ ...order, kind: 'fault', fault });
    return { outcome, reason, event: event! };
  }
}
