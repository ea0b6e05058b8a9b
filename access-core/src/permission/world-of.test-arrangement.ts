import type { AccessWorld } from './access-world.ts';
import type { NaiveWorld } from './naive-decide.test-oracle.ts';

export const worldOf = (world: NaiveWorld): AccessWorld => ({
  member: id => world.members.find(member => member.id === id),
  memberGroup: id => world.member_groups.find(group => group.id === id),
  schedule: id => world.schedules.find(schedule => schedule.id === id),
  gadget: id => world.gadgets.find(gadget => gadget.id === id),
  site: id => world.sites.find(site => site.id === id),
});
