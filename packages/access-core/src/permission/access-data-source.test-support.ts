import type { AccessDataSource } from './access-data-source-interface.ts';
import type { AccessData } from './reference-decide.test-support.ts';

export const createAccessDataSource = (world: AccessData): AccessDataSource => ({
  member: id => world.members.find(member => member.id === id),
  memberGroup: id => world.member_groups.find(group => group.id === id),
  schedule: id => world.schedules.find(schedule => schedule.id === id),
  gadget: id => world.gadgets.find(gadget => gadget.id === id),
  site: id => world.sites.find(site => site.id === id),
});
