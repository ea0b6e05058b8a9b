import { accessMethods, type DenialReason, denialReasons } from '@lintel/access-core/access-data-types';
import type { DeviceId } from '@lintel/access-core/ids';
import type { DeviceEvent } from '@lintel/wire-protocol/mqtt/messages/events';
import { deviceEventKinds } from '@lintel/wire-protocol/mqtt/messages/events';
import type { Actor } from '../../../transactions/actor.ts';
import type { EventProofs } from './proofs.ts';
import { credentialFields, type EventReferences, type ReferencedGadget, type ReferencedMember } from './references.ts';

/*
 * A controller is believed for what concerns itself: its own gadgets, itself as the reader, and members that a snapshot of
 * it contained. Everything else needs a proof in the event, and is left out without one. The event itself is always kept.
 */

type DeviceEventKind = (typeof deviceEventKinds)[number];

type BelievedSubject = Omit<Actor, 'device_id' | 'ip_address' | 'client' | 'details'>;

export interface BelievedEvent {
  /** Null for a kind that this version does not know. */
  readonly kind: DeviceEventKind | null;
  readonly gadget: ReferencedGadget | null;
  readonly actionId: string | null;
  readonly stateId: string | null;
  readonly signalId: string | null;
  readonly triggerId: string | null;
  /** The sender, unless another controller proves that it read the credential. */
  readonly reader: DeviceId;
  readonly subject: BelievedSubject;
  readonly reason: DenialReason | null;
  readonly fault: string | null;
  readonly detail: string | null;
  /** Values of a newer version that this one does not know. */
  readonly unknown: { readonly kind?: string; readonly reason?: string };
}

export interface EventSender {
  readonly deviceId: DeviceId;
  /** The groups of the snapshots that the controller had. */
  readonly groupsOf: (deviceId: DeviceId) => ReadonlySet<string>;
  readonly references: EventReferences;
}

/** What a kind of event may name. A new kind does not compile without a declaration. */
interface KindFields {
  /** Gadgets of other controllers: a credential was denied at this reader, or the other controller was not reachable. */
  readonly foreignGadget: boolean;
  readonly reason: boolean;
  readonly fault: boolean;
  readonly detail: boolean;
}

const nothing: KindFields = { foreignGadget: false, reason: false, fault: false, detail: false };
const detailed: KindFields = { ...nothing, detail: true };

const fieldsOfKinds: Readonly<Record<DeviceEventKind, KindFields>> = {
  use: detailed,
  deny: { ...detailed, foreignGadget: true, reason: true },
  state: nothing,
  signal: nothing,
  gap: nothing,
  fault: { ...detailed, foreignGadget: true, fault: true },
  trigger_chain_stopped: { ...nothing, fault: true },
  rules_edited: detailed,
  rules_confirmed: detailed,
  rules_reverted: detailed,
  rules_copied: detailed,
  commissioning_made: detailed,
  commissioning_ended: detailed,
  output_tested: detailed,
  profile_changed: detailed,
  updated: detailed,
  update_rolled_back: detailed,
};

const MAX_NAME_LENGTH = 100;

const nameOf = (text: string | null | undefined): string | null =>
  text != null && text.length <= MAX_NAME_LENGTH ? text : null;

const isKnown = <V extends string>(known: readonly V[], value: string | null | undefined): value is V =>
  (known as readonly (string | null | undefined)[]).includes(value);

const findGadget = (
  event: DeviceEvent,
  { foreignGadget }: KindFields,
  { deviceId, references }: EventSender,
): ReferencedGadget | null => {
  const gadget = references.gadgets.get(event.gadget_id ?? '');
  if (gadget === undefined) return null;
  if (gadget.device_id === deviceId) return gadget;
  const { gadget_action_id: action } = event;
  return foreignGadget && action != null && gadget.actionIds.includes(action) ? gadget : null;
};

const findTrigger = (event: DeviceEvent, { deviceId, references }: EventSender): string | null => {
  const gadgets = references.triggers.get(event.gadget_trigger_id ?? '') ?? [];
  return gadgets.some(id => references.gadgets.get(id)?.device_id === deviceId) ? event.gadget_trigger_id! : null;
};

const wasInSnapshotOf = ({ groups }: ReferencedMember, { groupsOf }: EventSender, devices: readonly DeviceId[]) =>
  devices.some(device => {
    const ofDevice = groupsOf(device);
    return [...groups].some(group => ofDevice.has(group));
  });

const believedMember = (
  { subject }: DeviceEvent,
  reader: DeviceId,
  sender: EventSender,
): Pick<BelievedSubject, 'member_id' | Extract<keyof BelievedSubject, `member_${string}_id`>> => {
  const member = sender.references.members.get(subject?.member_id ?? '');
  if (member === undefined || !wasInSnapshotOf(member, sender, [sender.deviceId, reader])) return {};
  const own = credentialFields.flatMap(field => {
    const id = subject?.[field];
    return id != null && sender.references.credentials.get(id) === member.id ? [[field, id] as const] : [];
  });
  return { member_id: member.id, ...Object.fromEntries(own) };
};

const believedSubject = (
  event: DeviceEvent,
  { isRequested, technician }: EventProofs,
  reader: DeviceId,
  sender: EventSender,
): BelievedSubject => {
  const { pass: _, request_id: __, access_method, ...ids } = event.subject ?? {};
  const method = isKnown(accessMethods, access_method) ? { access_method } : {};
  const acting = isRequested ? ids : { ...believedMember(event, reader, sender), ...technician };
  const named = Object.entries(acting).filter(([, id]) => id !== null && id !== undefined);
  return { ...(Object.fromEntries(named) as BelievedSubject), ...method };
};

export const toBelievedEvent = (event: DeviceEvent, proofs: EventProofs, sender: EventSender): BelievedEvent => {
  const kind = isKnown(deviceEventKinds, event.kind) ? event.kind : null;
  const fields = kind === null ? nothing : fieldsOfKinds[kind];
  const gadget = findGadget(event, fields, sender);
  const isOwn = gadget?.device_id === sender.deviceId;
  // Only the controller that operates the gadget is asked by another one.
  const reader = isOwn ? (proofs.reader ?? sender.deviceId) : sender.deviceId;
  const reason = fields.reason && isKnown(denialReasons, event.reason) ? event.reason : null;
  return {
    kind,
    gadget,
    actionId: nameOf(event.gadget_action_id),
    stateId: nameOf(event.gadget_state_id),
    signalId: nameOf(event.gadget_signal_id),
    triggerId: findTrigger(event, sender),
    reader,
    subject: believedSubject(event, proofs, reader, sender),
    reason,
    fault: fields.fault ? (event.fault ?? null) : null,
    detail: fields.detail ? (event.detail ?? null) : null,
    unknown: {
      ...(kind === null ? { kind: event.kind.slice(0, MAX_NAME_LENGTH) } : {}),
      ...(fields.reason && reason === null && event.reason != null
        ? { reason: event.reason.slice(0, MAX_NAME_LENGTH) }
        : {}),
    },
  };
};
