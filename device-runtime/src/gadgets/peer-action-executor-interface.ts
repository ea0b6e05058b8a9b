import type { GadgetId, GadgetTriggerId } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** The acting person or credential in an event. */
export type DeviceEventSubject = NonNullable<DeviceEvent['subject']>;

export interface PeerActionRequest {
  readonly gadget_id: GadgetId;
  readonly action_id: string;
  readonly occurred_at: Instant;
  readonly time_trusted: boolean;
  /** Null for a trigger. */
  readonly subject: DeviceEventSubject | null;
  readonly trigger: { readonly gadget_trigger_id: GadgetTriggerId; readonly depth: number } | null;
}

export type PeerActionResult =
  /** The owner granted, acted and recorded the event. */
  | { readonly outcome: 'done' }
  /** The owner denied access and recorded the event. */
  | { readonly outcome: 'denied'; readonly reason: string }
  /** The owner failed and recorded the event. */
  | { readonly outcome: 'failed'; readonly reason: string }
  /** The owner did not respond in time. The caller records the event. */
  | { readonly outcome: 'unreachable' };

/** Gadgets of other controllers. Never rejects. */
export interface PeerActionExecutor {
  execute(request: PeerActionRequest): Promise<PeerActionResult>;
}
