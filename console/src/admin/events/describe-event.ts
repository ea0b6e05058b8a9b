import type { EventResponse } from '@lintel/wire-protocol/rest/event';
import { namePart, type PartKind } from '../messages/name-gadget-parts.ts';
import type { AdminMessages } from '../messages/en.ts';

interface Named {
  readonly name: string;
}

interface ExpandedGadget extends Named {
  readonly actions: readonly { readonly id: string; readonly name: string }[];
  readonly states: readonly { readonly id: string; readonly name: string }[];
  readonly signals: readonly { readonly id: string; readonly name: string }[];
}

/** An event with the objects that `EVENT_EXPAND_NAMES` names. What the user may not see is left out. */
export interface ExpandedEvent extends EventResponse {
  readonly subject_member?: Named | null;
  readonly subject_user?: (Named & { readonly email: string }) | null;
  readonly subject_oauth_application?: Named | null;
  readonly subject_device?: Named | null;
  readonly object_gadget?: ExpandedGadget | null;
  readonly object_site?: Named | null;
  readonly object_member?: Named | null;
  readonly object_member_group?: Named | null;
}

/** Who did it. */
export const nameActor = (event: ExpandedEvent, { events }: AdminMessages): string => {
  const { subject_member: member, subject_user: user, subject_device: device } = event;
  if (member != null && member.name !== '') return member.name;
  if (user != null) return user.name === '' ? user.email : user.name;
  const { subject_oauth_application: application } = event;
  if (application != null) return application.name === 'cli' ? events.script : events.application(application.name);
  if (device != null) return events.controller(device.name);
  return event.subject.member_id == null && event.subject.user_id == null ? events.system : events.someone;
};

const partName = (
  gadget: ExpandedGadget | null | undefined,
  kind: PartKind,
  id: string | null | undefined,
  messages: AdminMessages,
): string => {
  const part = gadget?.[kind].find(one => one.id === id);
  return part === undefined ? (id ?? '') : namePart(kind, part, messages);
};

const expandedObjectName = (event: ExpandedEvent): string | null => {
  const object = (event as unknown as Readonly<Record<string, Partial<Named> | null | undefined>>)[
    `object_${event.object.type}`
  ];
  return object?.name === undefined || object.name === '' ? null : object.name;
};

const describeUse = (event: ExpandedEvent, messages: AdminMessages, door: string): string => {
  const { events } = messages;
  const { access_method: methodId, member_id } = event.subject;
  const method = methodId == null ? null : (events.methods[methodId] ?? methodId);
  const who = nameActor(event, messages);
  if (event.verb === 'deny') {
    const reason = events.reasons[event.reason ?? ''] ?? event.reason ?? '';
    return member_id == null ? events.deniedUnknown(door, method, reason) : events.denied(who, door, method, reason);
  }
  const actionId = event.object.gadget_action_id;
  if (actionId === 'open') return events.opened(who, door, method);
  return events.usedAction(who, partName(event.object_gadget, 'actions', actionId, messages), door, method);
};

/** Who joins or leaves which group; null if the names are not known. */
const describeMembership = (event: ExpandedEvent, messages: AdminMessages): string | null => {
  const { object_member: member, object_member_group: group } = event;
  if (event.object.type !== 'member_group_association' || member == null || group == null) return null;
  const name = member.name === '' ? messages.members.unnamed : member.name;
  return messages.events.membership[event.verb]?.(nameActor(event, messages), name, group.name) ?? null;
};

const describeChange = (event: ExpandedEvent, messages: AdminMessages): string => {
  const { events } = messages;
  const { object, verb } = event;
  const membership = describeMembership(event, messages);
  if (membership !== null) return membership;
  const type = events.types[object.type] ?? object.type;
  const name = expandedObjectName(event);
  const member = object.type === 'member' ? null : event.object_member?.name;
  const what =
    name !== null ? events.named(type, name) : member != null && member !== '' ? events.ofMember(type, member) : type;
  const special = events.changedBecause[event.reason ?? ''] ?? events.changedObject[`${verb} ${object.type}`];
  if (special !== undefined) return special(nameActor(event, messages), what);
  return (events.changed[verb] ?? ((who, changed) => `${who}: ${verb} ${changed}`))(nameActor(event, messages), what);
};

/** What happened, as one sentence. */
export const describeEvent = (event: ExpandedEvent, messages: AdminMessages): string => {
  const { events } = messages;
  const { object, object_gadget: gadget } = event;
  const door = gadget?.name ?? events.unknownDoor;
  switch (object.type) {
    case 'gadget_action':
      return describeUse(event, messages, door);
    case 'gadget_state':
      return events.state(door, partName(gadget, 'states', object.gadget_state_id, messages));
    case 'gadget_signal':
      return events.signal(door, partName(gadget, 'signals', object.gadget_signal_id, messages));
    case 'device': {
      const reported = events.deviceReasons[event.reason ?? ''];
      const name = expandedObjectName(event);
      const { lost_count, lost_at_most, last_received } = event.details ?? {};
      const lost = { lost: Number(lost_count ?? 1), isAtMost: lost_at_most === 'true' };
      const figures = { ...lost, lastReceived: last_received ?? '0' };
      if (reported !== undefined) return reported(name === null ? events.types['device']! : name, figures);
      return describeChange(event, messages);
    }
    default:
      return describeChange(event, messages);
  }
};

export type EventTone = 'granted' | 'denied' | 'alarm' | 'state' | 'change';

const alarms: ReadonlySet<string> = new Set(['forced', 'held_open', 'tamper', 'offline', 'fault', 'events_lost']);

/** How important the event is for a person who looks at the list. */
export const selectEventTone = ({ verb, object, reason }: EventResponse): EventTone => {
  if (verb === 'deny') return 'denied';
  if (alarms.has(object.gadget_state_id ?? object.gadget_signal_id ?? reason ?? '')) return 'alarm';
  if (object.type === 'gadget_state') return 'state';
  return object.type === 'gadget_action' ? 'granted' : 'change';
};
