import type { PermissionRule } from '@lintel/access-core/access-data-types';
import { newEnforcer, newModelFromString } from 'casbin';
import {
  type AccessEngine,
  type EngineData,
  isValid,
  weekRanges,
} from './access-engine-interface-and-input-conversion.ts';

/* Groups are casbin roles and rules are casbin policies. The matcher starts with the cheap and selective conditions. */
const model = `
[request_definition]
r = sub, gadget, site, method, second, now
[policy_definition]
p = sub, gadget, site, methods, schedule
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = (p.gadget == "*" || p.gadget == r.gadget) && (p.site == "*" || p.site == r.site) && allows(p.methods, r.method) && isOpen(p.schedule, r.second) && g(r.sub, p.sub) && isValid(r.sub, p.sub, r.now)
`;

const methodList = ({ access_methods }: PermissionRule): string =>
  access_methods == null
    ? '*'
    : Object.entries(access_methods)
        .filter(([, allowed]) => allowed)
        .map(([method]) => method)
        .join(' ');

export const casbinEngine = async ({ hotel, members }: EngineData): Promise<AccessEngine> => {
  const ranges = weekRanges(hotel);
  const byId = new Map<string, (typeof members)[number]>(members.map(member => [member.id, member]));
  const enforcer = await newEnforcer(newModelFromString(model));
  await enforcer.addFunction(
    'allows',
    (methods: string, method: string) => methods === '*' || methods.split(' ').includes(method),
  );
  await enforcer.addFunction(
    'isOpen',
    (schedule: string, second: number) =>
      schedule === '*' || ranges.get(schedule)!.some(({ start, end }) => start <= second && second < end),
  );
  await enforcer.addFunction('isValid', (memberId: string, groupId: string, now: number) => {
    const member = byId.get(memberId)!;
    if (member.is_deleted || !isValid(member, now)) return false;
    return member.group_associations.some(
      association => association.member_group_id === groupId && isValid(association, now),
    );
  });
  await enforcer.addPolicies(
    hotel.member_groups.flatMap(({ id, permissions }) =>
      permissions.map(rule => [
        id,
        rule.gadget_id ?? '*',
        rule.site_id ?? '*',
        methodList(rule),
        rule.schedule_id ?? '*',
      ]),
    ),
  );
  const roles = members.flatMap(({ id, group_associations }) =>
    [...new Set(group_associations.map(({ member_group_id }) => member_group_id))].map(group => [id, group]),
  );
  await enforcer.addGroupingPolicies(roles);
  return ({ member_id, gadget_id, site_id, access_method, local_second, now }) =>
    enforcer.enforceSync(member_id, gadget_id, site_id, access_method, local_second, now);
};
