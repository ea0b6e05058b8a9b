import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import type { homeAssistantAccessEventTypes } from './mqtt-discovery-documents.ts';

/** Without the member and the credential, which are not for everyone who can read this broker. */
export interface HomeAssistantAccessEventPayload {
  readonly event_type: (typeof homeAssistantAccessEventTypes)[number];
  readonly action: string | null;
  readonly method: string | null;
  readonly reason: string | null;
  readonly occurred_at: string;
}

/** An automation that reacts to an older event would act at the wrong time. */
const MAX_AGE_MS = 60_000;
const MAX_REMEMBERED_IDS = 5000;

/** Null for events that are neither a use nor a denial. */
export const toHomeAssistantAccessEventPayload = (event: DeviceEvent): HomeAssistantAccessEventPayload | null => {
  if (event.kind !== 'use' && event.kind !== 'deny') return null;
  const isTrigger = (event.gadget_trigger_id ?? null) !== null;
  return {
    event_type: event.kind === 'use' ? 'granted' : 'denied',
    action: event.gadget_action_id ?? null,
    method: event.subject?.access_method ?? (isTrigger ? 'trigger' : null),
    reason: event.reason ?? null,
    occurred_at: new Date(event.occurred_at).toISOString(),
  };
};

/** Selects the events that are new: controllers send events again until the bridge acknowledges them. */
export class HomeAssistantEventDeduplicator {
  readonly #seen = new Set<string>();

  accept({ id, occurred_at, time_trusted }: DeviceEvent, now: number): boolean {
    if (this.#seen.has(id) || (time_trusted && now - occurred_at > MAX_AGE_MS)) return false;
    this.#seen.add(id);
    if (this.#seen.size > MAX_REMEMBERED_IDS) this.#seen.delete(this.#seen.values().next().value!);
    return true;
  }
}
