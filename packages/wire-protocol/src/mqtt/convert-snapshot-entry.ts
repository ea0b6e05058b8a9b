import type { GadgetId } from '@lintel/access-core/ids';
import type {
  Gadget,
  Member,
  MemberGroup,
  PermissionRule,
  Schedule,
  Site,
} from '@lintel/access-core/access-data-types';
import type { GadgetTrigger } from '@lintel/access-core/triggers/gadget-trigger';
import { parsePermissionRules } from '@lintel/access-core/permission/parse-permission-rules';
import { parseWeeklyTimeRanges } from '@lintel/access-core/schedule';
import type { SnapshotEntryOf } from './snapshot-entry.ts';

/** Converts snapshot entries to the access model. */

export const convertSnapshotSiteEntry = ({ id, timezone, geo }: SnapshotEntryOf<'site'>): Site => ({
  id,
  is_deleted: false,
  timezone,
  geo,
});

export const convertSnapshotGadgetEntry = ({ id, site_id, actions }: SnapshotEntryOf<'gadget'>): Gadget => ({
  id,
  site_id,
  is_deleted: false,
  action_ids: actions.map(action => action.id),
});

/** Null if it is invalid: the schedule then does not exist, and rules that need it do not match. */
export const convertSnapshotScheduleEntry = ({ id, weekdays }: SnapshotEntryOf<'schedule'>): Schedule | null => {
  const parsed = parseWeeklyTimeRanges(weekdays);
  return parsed.ok ? { id, is_deleted: false, weekdays: parsed.value } : null;
};

/** A gadget that does not exist: the rule grants nothing but keeps the positions of later rules. */
const NO_GADGET = 'gad_not-understood' as GadgetId;

/** A rule with an unknown field may be narrower than it looks, so it grants nothing. */
const understood = (rule: unknown): PermissionRule => {
  const parsed = parsePermissionRules([rule]);
  return (parsed.ok ? parsed.value[0] : undefined) ?? { gadget_id: NO_GADGET };
};

export const convertSnapshotMemberGroupEntry = ({ id, permissions }: SnapshotEntryOf<'member_group'>): MemberGroup => ({
  id,
  is_deleted: false,
  permissions: permissions.map(understood),
});

export const convertSnapshotMemberEntry = (entry: SnapshotEntryOf<'member'>): Member => entry;

/** Null if its source is incomplete or of an unknown type. */
export const convertSnapshotGadgetTriggerEntry = (entry: SnapshotEntryOf<'gadget_trigger'>): GadgetTrigger | null => {
  const { id, site_id, target_gadget_id, target_action_id, source_type, source_gadget_id } = entry;
  const common = { id, is_deleted: false, site_id, target_gadget_id, target_action_id };
  if (source_type === 'state' && source_gadget_id !== null && entry.source_state_id !== null) {
    return { ...common, source_type: 'state', source_gadget_id, source_state_id: entry.source_state_id };
  }
  if (source_type === 'signal' && source_gadget_id !== null && entry.source_signal_id !== null) {
    return { ...common, source_type: 'signal', source_gadget_id, source_signal_id: entry.source_signal_id };
  }
  const source_schedule_event = (['enter', 'exit'] as const).find(event => event === entry.source_schedule_event);
  if (source_type !== 'schedule' || entry.source_schedule_id === null || source_schedule_event === undefined)
    return null;
  const { source_schedule_id } = entry;
  return { ...common, source_type: 'schedule', source_gadget_id, source_schedule_id, source_schedule_event };
};
