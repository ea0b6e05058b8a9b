import type { DeviceId, GadgetId, GadgetTriggerId } from '@lintel/access-core/ids';
import type { MonotonicTime } from '@lintel/access-core/monotonic-time';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { DeviceEventSubject } from '../gadgets/peer-action-executor-interface.ts';
import type { EventLog } from '../events/event-log.ts';
import type { DeviceGadgets } from '../gadgets/device-gadgets.ts';
import type { GadgetActionPlan, GadgetCommand } from '../gadgets/gadget-action-plan-types.ts';
import type { GadgetActionIds } from '../access/access-checker.ts';

/** The other controller that read the credential or fired the trigger, and its signed request in base64url. */
export interface PeerReader {
  readonly reader_device_id: DeviceId;
  readonly peer_request: string;
}

/** An action that was granted and is executed here, with the fields of its event. */
export interface ApprovedAction {
  readonly gadget_id: GadgetId;
  readonly gadget_action_id: string;
  readonly subject: DeviceEventSubject | null;
  /** See `PeerReader`. */
  readonly reader_device_id?: DeviceId;
  readonly peer_request?: string;
  readonly gadget_trigger_id?: GadgetTriggerId;
  readonly request_id?: string;
  readonly detail?: string;
}

export type ActionExecutionResult =
  | { readonly outcome: 'done'; readonly event: DeviceEvent }
  | {
      readonly outcome: 'interlocked' | 'failed';
      readonly reason: string;
      /** Null after an internal error, which is recorded as a fault of the controller. */
      readonly event: DeviceEvent | null;
    };

const LONGEST_FAULT = 200;

export const toApprovedActionFields = ({
  gadget_id,
  action_id,
}: GadgetActionIds): Pick<ApprovedAction, 'gadget_id' | 'gadget_action_id'> => ({
  gadget_id,
  gadget_action_id: action_id,
});

const switchesOn = ({ effect }: GadgetCommand): boolean =>
  effect.type === 'energize_strike' || effect.type === 'output_on';

/** Plans an action, records its event, then moves the gadget. */
export class ActionExecutor {
  readonly #board: DeviceGadgets;
  readonly #log: EventLog;

  constructor(board: DeviceGadgets, log: EventLog) {
    this.#board = board;
    this.#log = log;
  }

  execute(order: ApprovedAction, now: MonotonicTime): ActionExecutionResult {
    const { gadget_id, gadget_action_id } = order;
    const plan = this.#board.plan(gadget_id, gadget_action_id, now);
    if (plan === null) return this.#recordFailure(order, 'failed', 'No output is wired for this action');
    if (plan.interlockReason !== null) {
      this.#executePlan(plan);
      return this.#recordFailure(order, 'interlocked', plan.interlockReason);
    }
    const obstacle = this.#board.outputFault(gadget_id, plan.commands);
    if (obstacle !== null) {
      // The board applies a switch-off as soon as it is back.
      if (!plan.commands.some(switchesOn)) this.#executePlan(plan);
      return this.#recordFailure(order, 'failed', obstacle);
    }
    const [event] = this.#log.record({ ...order, kind: 'use' });
    this.#executePlan(plan);
    const failure = this.#board.lastCommandFailure(gadget_id, plan.commands);
    return failure === null ? { outcome: 'done', event: event! } : this.#recordFailure(order, 'failed', failure);
  }

  #executePlan(plan: GadgetActionPlan): void {
    plan.commit();
    this.#board.execute(plan.commands);
  }

  #recordFailure(order: ApprovedAction, outcome: 'interlocked' | 'failed', reason: string): ActionExecutionResult {
    const fault = reason.slice(0, LONGEST_FAULT);
    const [event] = this.#log.record({ ...order, kind: 'fault', fault });
    return { outcome, reason, event: event! };
  }
}
