import type { GadgetId, GadgetTriggerId } from '@lintel/access-core/ids';
import type { Instant } from '@lintel/access-core/instant';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';

/** Who acts, in the words of an event. */
export type ActingSubject = NonNullable<DeviceEvent['subject']>;

export interface PeerOrder {
  readonly gadget_id: GadgetId;
  readonly action_id: string;
  readonly occurred_at: Instant;
  readonly time_trusted: boolean;
  /** Null when a trigger asks. */
  readonly subject: ActingSubject | null;
  readonly trigger: { readonly gadget_trigger_id: GadgetTriggerId; readonly depth: number } | null;
}

export type PeerOutcome =
  /** The owner decided again, acted and wrote the event. */
  | { readonly outcome: 'done' }
  /** The owner decided again and refused; the event is the owner's. */
  | { readonly outcome: 'denied'; readonly reason: string }
  /** The owner could not, and has told the bridge. */
  | { readonly outcome: 'failed'; readonly reason: string }
  /** Nobody answered in time: the event is ours to write. */
  | { readonly outcome: 'unreachable' };

/** Gadgets that hang on other controllers. Never rejects. */
export interface PeerGadgets {
  execute(order: PeerOrder): Promise<PeerOutcome>;
}
