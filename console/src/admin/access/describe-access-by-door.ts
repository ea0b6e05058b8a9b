import { accessMethods } from '@lintel/access-core/access-data-types';
import type { ActionAccess } from '@lintel/wire-protocol/admin/effective-access';
import type { AdminMessages } from '../messages/en.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface GrantContext {
  readonly messages: AdminMessages;
  readonly locale: string;
  readonly schedules: readonly Named[];
  readonly formatTime: (iso: string) => string;
}

interface AccessContext extends GrantContext {
  readonly doors: readonly (Named & { readonly actions: readonly Named[] })[];
}

export type GadgetActionGrant = ActionAccess['grants'][number];

const nameOf = (objects: readonly Named[], id: string): string => objects.find(one => one.id === id)?.name ?? id;

const describeMethods = (
  { access_methods }: GadgetActionGrant,
  { messages: { member }, locale }: GrantContext,
): string => {
  if (access_methods.length === accessMethods.length) return member.anyMethod;
  const names = access_methods.map(method => member.methods[method] ?? method);
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(names);
};

/** The texts begin with a preposition, which has a capital where they stand alone. */
const inSentence = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const describeTime = (
  grant: GadgetActionGrant,
  { messages: { member, members }, schedules, formatTime }: GrantContext,
): string => {
  const { starts_at, ends_at, schedule_ids } = grant;
  const hours =
    schedule_ids.length === 0
      ? member.anyTime
      : member.withSchedule(schedule_ids.map(id => nameOf(schedules, id)).join(' + '));
  const bounds = [
    ...(starts_at === null ? [] : [inSentence(members.from(formatTime(starts_at)))]),
    ...(ends_at === null ? [] : [inSentence(members.until(formatTime(ends_at)))]),
  ];
  return [hours, ...bounds].join(' ');
};

/** `any time until 18 Nov 11:00, PIN or card`. */
export const describeGadgetActionGrant = (grant: GadgetActionGrant, context: GrantContext): string =>
  `${describeTime(grant, context)}, ${describeMethods(grant, context)}`;

/** `Room 101, any time until 18 Nov 11:00, PIN or card`; names the actions if the grant is not for all of the door. */
export const describeAccessByDoor = (access: readonly ActionAccess[], context: AccessContext): readonly string[] => {
  const byDoor = Map.groupBy(access, ({ gadget_id }) => gadget_id);
  const sentences = [...byDoor].flatMap(([gadgetId, actions]) => {
    const door = context.doors.find(({ id }) => id === gadgetId);
    const grants = actions.flatMap(({ action_id, grants: given }) =>
      given.map(grant => ({ action_id, text: describeGadgetActionGrant(grant, context) })),
    );
    return [...Map.groupBy(grants, ({ text }) => text)].map(([text, given]) => {
      const ids = new Set(given.map(({ action_id }) => action_id));
      const isWhole = door === undefined || ids.size === door.actions.length;
      const names = [...ids].map(id => nameOf(door?.actions ?? [], id)).join(', ');
      return `${door?.name ?? gadgetId}${isWhole ? '' : ` (${names})`}, ${text}`;
    });
  });
  return sentences.toSorted(new Intl.Collator(context.locale, { numeric: true }).compare);
};
