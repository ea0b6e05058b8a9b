import type { SimulatorActivityEntry } from '@lintel/wire-protocol/simulator/activity-entry';
import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import type { TechnicianEventResponse } from '@lintel/wire-protocol/technician/live-message';
import { formatEventSentence } from './event-sentence.ts';

export interface TrackedDevice {
  readonly key: string;
  readonly name: string;
  readonly deviceId: string;
  readonly upstream: 'bridge' | 'gateway';
  /** It has no hardware: the bridge decides. */
  readonly isVirtual?: boolean;
  readonly doors: readonly { readonly key: string; readonly name: string; readonly gadgetId: string }[];
}

type NameOf = (memberId: string) => string | null;

/** An event of the activity list, without the places that it has reached. */
export type EventSummary = Omit<SimulatorActivityEntry, 'way' | 'deliveries'>;

type Kind = SimulatorActivityEntry['kind'];
const kinds = new Set<string>(['use', 'deny', 'state', 'signal', 'fault', 'gap']);
const kindOf = (kind: string): Kind => (kinds.has(kind) ? (kind as Kind) : 'other');

export const summarizeDeviceEvent = (
  controller: TrackedDevice,
  event: TechnicianEventResponse,
  nameOf: NameOf,
): EventSummary => {
  const door = controller.doors.find(({ gadgetId }) => gadgetId === event.gadget_id);
  const { member_id, access_method } = event.subject ?? {};
  const who = member_id == null ? null : nameOf(member_id);
  const method = access_method ?? null;
  const reason = event.reason ?? null;
  return {
    id: event.id,
    at: event.occurred_at,
    kind: kindOf(event.kind),
    decided_by: event.request_id == null ? 'door' : 'bridge',
    controller: controller.key,
    door: door?.key ?? null,
    who,
    method,
    reason,
    words: formatEventSentence({
      kind: event.kind,
      who,
      method,
      reason,
      place: door?.name ?? controller.name,
      state: event.gadget_state_id ?? null,
      signal: event.gadget_signal_id ?? null,
      detail: event.fault ?? event.detail ?? null,
    }),
    is_time_trusted: event.time_trusted,
    passes_gateway: controller.upstream === 'gateway',
  };
};

const gadgetEventKinds: Readonly<Record<string, (event: EventResponse) => string>> = {
  gadget_action: ({ verb }) => (verb === 'deny' ? 'deny' : 'use'),
  gadget_state: () => 'state',
  gadget_signal: () => 'signal',
};

/** Reasons of device events: `online` and `offline` are observed by the bridge, the others are reported by the device. */
const deviceReasons: Readonly<Record<string, { readonly kind: string; readonly by: 'door' | 'bridge' }>> = {
  online: { kind: 'online', by: 'bridge' },
  offline: { kind: 'offline', by: 'bridge' },
  events_lost: { kind: 'gap', by: 'door' },
  fault: { kind: 'fault', by: 'door' },
  rules_edited: { kind: 'rules_edited', by: 'door' },
};

/** Summarizes an event of the bridge. Null for an event without a door or controller. */
export const summarizeBridgeEvent = (
  controllers: readonly TrackedDevice[],
  event: EventResponse,
  nameOf: NameOf,
): EventSummary | null => {
  const { object, subject } = event;
  const controller = controllers.find(({ deviceId }) => deviceId === object.device_id);
  const reported = object.type === 'device' && controller !== undefined ? deviceReasons[event.reason ?? ''] : undefined;
  const kind = reported?.kind ?? gadgetEventKinds[object.type]?.(event);
  if (kind === undefined) return null;
  const door = controller?.doors.find(({ gadgetId }) => gadgetId === object.gadget_id);
  const who = subject.member_id == null ? null : nameOf(subject.member_id);
  const method = subject.access_method ?? null;
  const reason = event.reason ?? null;
  const isRemote =
    controller === undefined ||
    controller.isVirtual === true ||
    method === 'online' ||
    subject.oauth_application_id != null;
  return {
    id: event.id,
    at: event.occurred_at,
    kind: kindOf(kind),
    decided_by: reported?.by ?? (isRemote ? 'bridge' : 'door'),
    controller: controller?.key ?? null,
    door: door?.key ?? null,
    who,
    method,
    reason,
    words: formatEventSentence({
      kind,
      who,
      method,
      reason,
      place: door?.name ?? controller?.name ?? 'A door of another controller',
      state: object.gadget_state_id ?? null,
      signal: object.gadget_signal_id ?? null,
      detail: null,
      action: controller?.isVirtual === true && object.gadget_action_id !== 'open' ? object.gadget_action_id : null,
    }),
    is_time_trusted: subject.time_trusted ?? true,
    passes_gateway: controller?.upstream === 'gateway',
  };
};
