import type { ActionAccess } from '@lintel/wire-protocol/admin/effective-access';
import { accessMethods } from '@lintel/wire-protocol/rest/access-method';
import type { Messages } from '../messages/en.ts';
import { lowerFirst } from '../time/lower-first.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface AccessContext {
  readonly messages: Messages;
  readonly locale: string;
  readonly doors: readonly (Named & { readonly actions: readonly Named[] })[];
  readonly schedules: readonly Named[];
  readonly formatTime: (iso: string) => string;
}

type Grant = ActionAccess['grants'][number];

const nameOf = (objects: readonly Named[], id: string): string => objects.find(one => one.id === id)?.name ?? id;

const describeMethods = ({ access_methods }: Grant, { messages: { member }, locale }: AccessContext): string => {
  if (access_methods.length === accessMethods.length) return member.anyMethod;
  const names = access_methods.map(method => member.methods[method] ?? method);
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(names);
};

const describeTime = (
  grant: Grant,
  { messages: { member, members }, schedules, formatTime }: AccessContext,
): string => {
  const { starts_at, ends_at, schedule_ids } = grant;
  const hours =
    schedule_ids.length === 0
      ? member.anyTime
      : member.withSchedule(schedule_ids.map(id => nameOf(schedules, id)).join(' + '));
  const bounds = [
    ...(starts_at === null ? [] : [lowerFirst(members.from(lowerFirst(formatTime(starts_at))))]),
    ...(ends_at === null ? [] : [lowerFirst(members.until(lowerFirst(formatTime(ends_at))))]),
  ];
  return [hours, ...bounds].join(' ');
};

/** `Room 101, any time until 18 Nov 11:00, PIN or card`; names the action if the door has more than one. */
export const describeAccess = (access: readonly ActionAccess[], context: AccessContext): readonly string[] => {
  const sentences = access.flatMap(({ gadget_id, action_id, grants }) => {
    const door = context.doors.find(({ id }) => id === gadget_id);
    const hasChoice = (door?.actions.length ?? 0) > 1;
    const name = `${door?.name ?? gadget_id}${hasChoice ? ` (${nameOf(door?.actions ?? [], action_id)})` : ''}`;
    const { accessSentence } = context.messages.member;
    return grants.map(grant => accessSentence(name, describeTime(grant, context), describeMethods(grant, context)));
  });
  return [...new Set(sentences)].toSorted(new Intl.Collator(context.locale, { numeric: true }).compare);
};
