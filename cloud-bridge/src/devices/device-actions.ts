import { randomUUID } from 'node:crypto';
import type { DeviceId, GadgetId } from '@lintel/access-core/ids';
import type { ActionResult } from '@lintel/wire-protocol/mqtt/messages/action-result';
import type { Action } from '@lintel/wire-protocol/mqtt/messages/action';
import type { ActionOrder, ActionOutcome, ActionPort } from '../actions/action-port.ts';
import type { Services } from '../services.ts';
import type { Actor } from '../transactions/actor.ts';
import type { Downlink } from './downlink/downlink.ts';
import { lineElsewhere } from './session-line.ts';
import type { Sessions } from './sessions.ts';

const DEADLINE_MS = 5000;
/** The way there and back, beyond the time that the controller has. */
const TRAVEL_MS = 1000;
/** An event may arrive long after the action: who asked for it is remembered so long, and for so many. */
const MOST_ASKERS = 10_000;

const subjectOf = ({ ip_address: _, client: __, device_id: ___, ...subject }: Actor): Action['subject'] =>
  subject as Action['subject'];

interface Waiting {
  readonly deviceId: string;
  readonly resolve: (outcome: ActionOutcome) => void;
}

/** Asks controllers to act, and waits for their word. An answer that is late, or comes twice, does nothing. */
export class DeviceActions implements ActionPort {
  readonly #services: Pick<Services, 'storage' | 'clock'>;
  readonly #sessions: Sessions;
  readonly #downlink: Downlink;
  readonly #deadlineMs: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #askers = new Map<string, Actor>();

  constructor(
    services: Pick<Services, 'storage' | 'clock'>,
    sessions: Sessions,
    downlink: Downlink,
    deadlineMs = DEADLINE_MS,
  ) {
    this.#services = services;
    this.#sessions = sessions;
    this.#downlink = downlink;
    this.#deadlineMs = deadlineMs;
  }

  async perform(order: ActionOrder): Promise<ActionOutcome> {
    const line =
      this.#sessions.of(order.deviceId) ??
      (await lineElsewhere(this.#services.storage.reader, order.deviceId as DeviceId));
    if (line === null) return 'offline';
    const request_id = randomUUID();
    this.#remember(request_id, order.actor);
    const answer = this.#answerTo(request_id, order.deviceId);
    const request: Action = {
      v: 1,
      request_id,
      session_nonce: line.nonce,
      sent_at: this.#services.clock(),
      deadline_ms: this.#deadlineMs,
      gadget_id: order.gadgetId as GadgetId,
      action_id: order.actionId,
      subject: subjectOf(order.actor),
    };
    try {
      await this.#downlink.send(line, 'action', request);
    } catch {
      this.#waiting.get(request_id)?.resolve('offline');
    }
    return answer;
  }

  #answerTo(requestId: string, deviceId: string): Promise<ActionOutcome> {
    return new Promise(resolve => {
      const late = setTimeout(() => settle('offline'), this.#deadlineMs + TRAVEL_MS);
      const settle = (outcome: ActionOutcome): void => {
        clearTimeout(late);
        this.#waiting.delete(requestId);
        resolve(outcome);
      };
      this.#waiting.set(requestId, { deviceId, resolve: settle });
    });
  }

  #remember(requestId: string, actor: Actor): void {
    this.#askers.set(requestId, actor);
    for (const oldest of this.#askers.keys()) {
      if (this.#askers.size <= MOST_ASKERS) return;
      this.#askers.delete(oldest);
    }
  }

  /** Who stands behind an event that a controller tells of. */
  askerOf(requestId: string | null | undefined): Actor | null {
    return this.#askers.get(requestId ?? '') ?? null;
  }

  answered(deviceId: string, { request_id, outcome, event_id }: ActionResult): void {
    const waiting = this.#waiting.get(request_id);
    if (waiting?.deviceId !== deviceId) return;
    if (outcome !== 'done') waiting.resolve('offline');
    else waiting.resolve(event_id === null ? 'done' : { loggedAs: event_id });
  }

  /** Nobody will answer any more. */
  close(): void {
    for (const { resolve } of this.#waiting.values()) resolve('offline');
  }
}
