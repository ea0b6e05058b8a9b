import { type InputRule, parseInputRules } from '@lintel/access-core/input-rules';
import type { DeviceId, GadgetId, SiteId } from '@lintel/access-core/ids';
import type { Gadget, Member, MemberGroup, PermissionRule, Schedule, Site } from '@lintel/access-core/access-model';
import type { GadgetTrigger } from '@lintel/access-core/triggers/gadget-trigger';
import { parsePermissionRules } from '@lintel/access-core/permission/parse-rules';
import { parseWeekdays } from '@lintel/access-core/schedule';
import type { SliceEntryOf } from './slice-entry.ts';

/** Entries of a slice as the rules of access take them. */

/** What a controller is told of itself. */
export interface OwnDevice {
  readonly id: DeviceId;
  readonly site_id: SiteId;
  readonly name: string;
  /** Null when they are not understood: then nothing that is typed or shown there leads anywhere. */
  readonly input_rules: readonly InputRule[] | null;
}

export const readDevice = ({ id, site_id, name, input_rules }: SliceEntryOf<'device'>): OwnDevice => {
  const parsed = parseInputRules(input_rules);
  return { id, site_id, name, input_rules: parsed.ok ? parsed.value : null };
};

export const readSite = ({ id, timezone, geo }: SliceEntryOf<'site'>): Site => ({
  id,
  is_deleted: false,
  timezone,
  geo,
});

export const readGadget = ({ id, site_id, actions }: SliceEntryOf<'gadget'>): Gadget => ({
  id,
  site_id,
  is_deleted: false,
  action_ids: actions.map(action => action.id),
});

/** Null when it is not understood: then there is no such schedule, and a rule that needs it does not match. */
export const readSchedule = ({ id, weekdays }: SliceEntryOf<'schedule'>): Schedule | null => {
  const parsed = parseWeekdays(weekdays);
  return parsed.ok ? { id, is_deleted: false, weekdays: parsed.value } : null;
};

/** There is no such gadget, so that the rule opens nothing and yet those after it keep their places. */
const NO_GADGET = 'gad_not-understood' as GadgetId;

/** A rule with a field that this version does not know may be narrower than it looks: it opens nothing. */
const understood = (rule: unknown): PermissionRule => {
  const parsed = parsePermissionRules([rule]);
  return (parsed.ok ? parsed.value[0] : undefined) ?? { gadget_id: NO_GADGET };
};

export const readMemberGroup = ({ id, permissions }: SliceEntryOf<'member_group'>): MemberGroup => ({
  id,
  is_deleted: false,
  permissions: permissions.map(understood),
});

export const readMember = (entry: SliceEntryOf<'member'>): Member => entry;

/** Null when its source is of a kind that is not known here, or half told. */
export const readGadgetTrigger = (entry: SliceEntryOf<'gadget_trigger'>): GadgetTrigger | null => {
  const { id, site_id, target_gadget_id, target_action_id, source_type, source_gadget_id } = entry;
  const told = { id, is_deleted: false, site_id, target_gadget_id, target_action_id };
  if (source_type === 'state' && source_gadget_id !== null && entry.source_state_id !== null) {
    return { ...told, source_type: 'state', source_gadget_id, source_state_id: entry.source_state_id };
  }
  if (source_type === 'signal' && source_gadget_id !== null && entry.source_signal_id !== null) {
    return { ...told, source_type: 'signal', source_gadget_id, source_signal_id: entry.source_signal_id };
  }
  const source_schedule_event = (['enter', 'exit'] as const).find(event => event === entry.source_schedule_event);
  if (source_type !== 'schedule' || entry.source_schedule_id === null || source_schedule_event === undefined)
    return null;
  const { source_schedule_id } = entry;
  return { ...told, source_type: 'schedule', source_gadget_id, source_schedule_id, source_schedule_event };
};
