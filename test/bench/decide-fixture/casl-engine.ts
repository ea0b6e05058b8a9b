import type { Member, PermissionRule, Validity } from '@lintel/access-core/access-data-types';
import { createMongoAbility, type MongoAbility, type RawRuleOf, subject } from '@casl/ability';
import {
  type AccessEngine,
  type EngineData,
  type WeekSecondsRange,
  weekRanges,
} from './access-engine-interface-and-input-conversion.ts';

type RawRule = RawRuleOf<MongoAbility>;
type Conditions = Record<string, unknown>;

const during = (...periods: readonly Validity[]): Conditions => {
  const starts = periods.flatMap(({ starts_at }) => starts_at ?? []);
  const ends = periods.flatMap(({ ends_at }) => ends_at ?? []);
  if (starts.length + ends.length === 0) return {};
  return {
    now: {
      ...(starts.length === 0 ? {} : { $gte: Math.max(...starts) }),
      ...(ends.length === 0 ? {} : { $lt: Math.min(...ends) }),
    },
  };
};

const allowedMethods = ({ access_methods }: PermissionRule): Conditions =>
  access_methods == null
    ? {}
    : {
        access_method: {
          $in: Object.entries(access_methods).flatMap(([method, allowed]) => (allowed ? [method] : [])),
        },
      };

/** CASL combines conditions with AND and rules with OR, so each range of a schedule is a separate rule. */
const rulesFor = (
  rule: PermissionRule,
  validity: Conditions,
  ranges: ReadonlyMap<string, readonly WeekSecondsRange[]>,
): RawRule[] => {
  const target = rule.gadget_id == null ? { site_id: rule.site_id } : { gadget_id: rule.gadget_id };
  const conditions = { ...target, ...allowedMethods(rule), ...validity };
  const unlimited: RawRule = { action: 'open', subject: 'Gadget', conditions };
  if (rule.schedule_id == null) return [unlimited];
  return ranges.get(rule.schedule_id)!.map(({ start, end }) => ({
    ...unlimited,
    conditions: { ...conditions, local_second: { $gte: start, $lt: end } },
  }));
};

/** Builds one ability per member in advance. */
export const caslEngine = ({ hotel, members }: EngineData): AccessEngine => {
  const ranges = weekRanges(hotel);
  const groups = new Map(hotel.member_groups.map(group => [group.id, group]));
  const abilityOf = (member: Member): MongoAbility =>
    createMongoAbility(
      member.group_associations.flatMap(association =>
        member.is_deleted
          ? []
          : groups
              .get(association.member_group_id)!
              .permissions.flatMap(rule => rulesFor(rule, during(member, association), ranges)),
      ),
    );
  const abilities = new Map<string, MongoAbility>(members.map(member => [member.id, abilityOf(member)]));
  return request => abilities.get(request.member_id)!.can('open', subject('Gadget', request));
};
