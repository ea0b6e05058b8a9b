import type { Gadget, Member, MemberGroup, Schedule, Site } from '../access-data-types.ts';
import type { GadgetId, MemberGroupId, MemberId, ScheduleId, SiteId } from '../ids.ts';

/** Lookups for the permission calculation. Returns undefined for missing objects; deleted objects may be returned. */
export interface AccessDataSource {
  member(id: MemberId): Member | undefined;
  memberGroup(id: MemberGroupId): MemberGroup | undefined;
  schedule(id: ScheduleId): Schedule | undefined;
  gadget(id: GadgetId): Gadget | undefined;
  site(id: SiteId): Site | undefined;
}
