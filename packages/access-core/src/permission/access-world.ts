import type { Gadget, Member, MemberGroup, Schedule, Site } from '../access-model.ts';
import type { GadgetId, MemberGroupId, MemberId, ScheduleId, SiteId } from '../ids.ts';

/** Where the calculation finds what a request and its rules refer to. What is missing is undefined; deleted things may be there. */
export interface AccessWorld {
  member(id: MemberId): Member | undefined;
  memberGroup(id: MemberGroupId): MemberGroup | undefined;
  schedule(id: ScheduleId): Schedule | undefined;
  gadget(id: GadgetId): Gadget | undefined;
  site(id: SiteId): Site | undefined;
}
