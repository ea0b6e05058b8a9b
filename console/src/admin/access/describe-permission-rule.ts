import type { AdminMessages } from '../messages/en.ts';
import type { PermissionRuleDraft } from './permission-rule-draft.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

interface RuleContext {
  readonly messages: AdminMessages;
  readonly locale: string;
  readonly objects: {
    readonly groups: readonly Named[];
    readonly schedules: readonly Named[];
    readonly sites: readonly Named[];
    readonly doors: readonly (Named & { readonly actions: readonly Named[] })[];
  };
}

export interface PermissionRuleDescription {
  readonly sentence: string;
  /** Whether the rule refers to something that was deleted, and therefore gives nothing. */
  readonly isDropped: boolean;
}

/** One rule as a sentence: `Members may use Front door and Room 101, with PIN or card, during Day.` */
export const describePermissionRule = (
  draft: PermissionRuleDraft,
  { messages, locale, objects }: RuleContext,
): PermissionRuleDescription => {
  const { groups: texts, member } = messages;
  let isDropped = false;
  const nameOf = (candidates: readonly Named[], id: string): string => {
    const found = candidates.find(one => one.id === id);
    if (found !== undefined) return found.name;
    isDropped = true;
    return texts.deletedObject;
  };
  const list = (names: readonly string[], type: Intl.ListFormatType): string =>
    new Intl.ListFormat(locale, { type }).format(names);
  const { inheritedGroupId, target, siteId, doorIds, actionId, methods, scheduleId } = draft;
  const actions = objects.doors.filter(({ id }) => doorIds.includes(id)).flatMap(door => door.actions);
  const actionName = (id: string): string => actions.find(action => action.id === id)?.name ?? id;
  const places = {
    all: () => texts.allDoors,
    site: () => texts.doorsOf(nameOf(objects.sites, siteId ?? '')),
    doors: () => {
      const names = list(
        doorIds.map(id => nameOf(objects.doors, id)),
        'conjunction',
      );
      return actionId === null ? names : texts.onlyAction(names, actionName(actionId));
    },
  };
  const place = places[target]();
  const what =
    inheritedGroupId === null
      ? texts.mayUse(place)
      : texts.mayInherit(nameOf(objects.groups, inheritedGroupId), target === 'all' ? null : place);
  const by =
    methods === null
      ? texts.withAnyMethod
      : methods.length === 0
        ? texts.withNoMethod
        : texts.withMethods(
            list(
              methods.map(method => member.methods[method] ?? method),
              'disjunction',
            ),
          );
  const when = scheduleId === null ? texts.atAnyTime : member.withSchedule(nameOf(objects.schedules, scheduleId));
  const parts = [what, by, when, ...(draft.requiresPresence ? [texts.whenPresent] : [])];
  return { sentence: `${parts.join(', ')}.`, isDropped };
};
