import type { Happening } from '@lintel/wire-protocol/simulator/happening';
import type { EventAnswer } from '@lintel/wire-protocol/rest/event';
import type { TechnicianEvent } from '@lintel/wire-protocol/technician/live';
import { inWords } from './event-words.ts';

export interface KnownController {
  readonly key: string;
  readonly name: string;
  readonly deviceId: string;
  readonly upstream: 'bridge' | 'gateway';
  readonly doors: readonly { readonly key: string; readonly name: string; readonly gadgetId: string }[];
}

type NameOf = (memberId: string) => string | null;

/** What an event says, without how far it has come. */
export type Story = Omit<Happening, 'way' | 'deliveries'>;

type Kind = Happening['kind'];
const kinds = new Set<string>(['use', 'deny', 'state', 'signal', 'fault', 'gap']);
const kindOf = (kind: string): Kind => (kinds.has(kind) ? (kind as Kind) : 'other');

export const storyAtDoor = (controller: KnownController, event: TechnicianEvent, nameOf: NameOf): Story => {
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
    words: inWords({
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

const atGadget: Readonly<Record<string, (event: EventAnswer) => string>> = {
  gadget_action: ({ verb }) => (verb === 'deny' ? 'deny' : 'use'),
  gadget_state: () => 'state',
  gadget_signal: () => 'signal',
};

/** What the bridge itself notices of a device, and what a device has told of itself. */
const ofDevice: Readonly<Record<string, { readonly kind: string; readonly by: 'door' | 'bridge' }>> = {
  online: { kind: 'online', by: 'bridge' },
  offline: { kind: 'offline', by: 'bridge' },
  events_lost: { kind: 'gap', by: 'door' },
  fault: { kind: 'fault', by: 'door' },
  rules_edited: { kind: 'rules_edited', by: 'door' },
};

/** By what the bridge says, where no controller has told it here. Null for what belongs to no door. */
export const storyAtBridge = (
  controllers: readonly KnownController[],
  event: EventAnswer,
  nameOf: NameOf,
): Story | null => {
  const { object, subject } = event;
  const controller = controllers.find(({ deviceId }) => deviceId === object.device_id);
  const told = object.type === 'device' && controller !== undefined ? ofDevice[event.reason ?? ''] : undefined;
  const kind = told?.kind ?? atGadget[object.type]?.(event);
  if (kind === undefined) return null;
  const door = controller?.doors.find(({ gadgetId }) => gadgetId === object.gadget_id);
  const who = subject.member_id == null ? null : nameOf(subject.member_id);
  const method = subject.access_method ?? null;
  const reason = event.reason ?? null;
  const isRemote = controller === undefined || method === 'online' || subject.oauth_application_id != null;
  return {
    id: event.id,
    at: event.occurred_at,
    kind: kindOf(kind),
    decided_by: told?.by ?? (isRemote ? 'bridge' : 'door'),
    controller: controller?.key ?? null,
    door: door?.key ?? null,
    who,
    method,
    reason,
    words: inWords({
      kind,
      who,
      method,
      reason,
      place: door?.name ?? controller?.name ?? 'A door elsewhere',
      state: object.gadget_state_id ?? null,
      signal: object.gadget_signal_id ?? null,
      detail: null,
    }),
    is_time_trusted: subject.time_trusted ?? true,
    passes_gateway: controller?.upstream === 'gateway',
  };
};
