import type { DeviceId, GadgetId } from '@lintel/access-core/ids';
import type { ActionResultMqttMessage } from '@lintel/wire-protocol/mqtt/messages/action-result';
import { actingSubjectSchema } from '@lintel/wire-protocol/mqtt/message-fields';
import type { ActionMqttMessage } from '@lintel/wire-protocol/mqtt/messages/action';
import type { Timers } from '@lintel/service/timing/timers';
import type {
  DeviceActionRequest,
  DeviceActionResult,
  DeviceActionExecutor,
} from '../actions/device-action-executor-interface.ts';
import type { BridgeServices } from '../bridge-services-interface.ts';
import type { Actor } from '../transactions/actor.ts';
import type { DownlinkSender } from './downlink/downlink-sender.ts';
import { findConnectedDownlinkRecipient } from './find-connected-downlink-recipient.ts';
import type { DeviceSessionRegistry } from './device-session-registry.ts';
import { createRequestId } from './request-id.ts';

const DEADLINE_MS = 5000;
/** For the transport in both directions, in addition to the deadline of the controller. */
const TRANSPORT_MS = 1000;
/** The event of an action may arrive long after its result, so requesters are kept for this many actions. */
const MAX_REQUESTERS = 10_000;

const subjectFields = Object.keys(actingSubjectSchema.shape) as (keyof ActionMqttMessage['subject'])[];

/** The part of an actor that a controller receives with an action, and returns in the event of the action. */
export const actionSubjectOf = (actor: Actor | ActionMqttMessage['subject']): ActionMqttMessage['subject'] =>
  Object.fromEntries(subjectFields.flatMap(field => (actor[field] == null ? [] : [[field, actor[field]]])));

interface PendingAction {
  readonly deviceId: string;
  readonly resolve: (result: DeviceActionResult) => void;
}

/** Sends actions to controllers and waits for the results. Ignores late and repeated results. */
export class MqttActionExecutor implements DeviceActionExecutor {
  readonly #services: Pick<BridgeServices, 'storage' | 'clock' | 'masterKeys'>;
  readonly #sessions: DeviceSessionRegistry;
  readonly #downlink: DownlinkSender;
  readonly #timers: Timers;
  readonly #pending = new Map<string, PendingAction>();
  readonly #requesters = new Map<string, Actor>();

  constructor(
    services: Pick<BridgeServices, 'storage' | 'clock' | 'masterKeys'>,
    sessions: DeviceSessionRegistry,
    downlink: DownlinkSender,
    timers: Timers,
  ) {
    this.#services = services;
    this.#sessions = sessions;
    this.#downlink = downlink;
    this.#timers = timers;
  }

  async execute({ action, actor }: DeviceActionRequest): Promise<DeviceActionResult> {
    const deviceId = action.device.id as DeviceId;
    const recipient = await findConnectedDownlinkRecipient(this.#services.storage, this.#sessions, deviceId);
    if (recipient === null) return 'offline';
    const sent_at = this.#services.clock();
    const subject = actionSubjectOf(actor);
    const request_id = createRequestId(this.#services.masterKeys, sent_at, {
      deviceId,
      action: { gadgetId: action.gadget.id, actionId: action.actionId },
      subject,
    });
    this.#recordRequester(request_id, actor);
    const result = this.#waitForResult(request_id, deviceId);
    const request: ActionMqttMessage = {
      v: 1,
      request_id,
      session_nonce: recipient.nonce,
      sent_at,
      deadline_ms: DEADLINE_MS,
      gadget_id: action.gadget.id as GadgetId,
      action_id: action.actionId,
      subject,
    };
    try {
      await this.#downlink.send(recipient, 'action', request);
    } catch {
      this.#pending.get(request_id)?.resolve('offline');
    }
    return result;
  }

  #waitForResult(requestId: string, deviceId: string): Promise<DeviceActionResult> {
    return new Promise(resolve => {
      const cancelTimeout = this.#timers.after(DEADLINE_MS + TRANSPORT_MS, () => settle('offline'));
      const settle = (result: DeviceActionResult): void => {
        cancelTimeout();
        this.#pending.delete(requestId);
        resolve(result);
      };
      this.#pending.set(requestId, { deviceId, resolve: settle });
    });
  }

  #recordRequester(requestId: string, actor: Actor): void {
    this.#requesters.set(requestId, actor);
    for (const oldest of this.#requesters.keys()) {
      if (this.#requesters.size <= MAX_REQUESTERS) return;
      this.#requesters.delete(oldest);
    }
  }

  /** The actor who requested the action that a controller's event belongs to, if this bridge sent it not long ago. */
  requesterOf(requestId: string | null | undefined): Actor | null {
    return this.#requesters.get(requestId ?? '') ?? null;
  }

  handleResult(deviceId: string, { request_id, outcome, event_id }: ActionResultMqttMessage): void {
    const pending = this.#pending.get(request_id);
    if (pending?.deviceId !== deviceId) return;
    if (outcome !== 'done') pending.resolve('offline');
    else pending.resolve(event_id === null ? 'done' : { eventId: event_id });
  }

  /** Resolves all pending actions as offline. */
  close(): void {
    for (const { resolve } of this.#pending.values()) resolve('offline');
  }
}
