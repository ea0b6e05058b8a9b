import type { Doings } from './doing.ts';
import { keyOf, ruleOf } from './seed-of-world.ts';
import type { ScenarioWorld } from './scenario-world.ts';
import type { Permission } from './world-schema.ts';
import { weeklyHours } from './weekly-hours.ts';

type DeskAct =
  | 'create_member'
  | 'edit_member'
  | 'delete_member'
  | 'undelete_member'
  | 'create_pin'
  | 'delete_pin'
  | 'create_card'
  | 'delete_card'
  | 'join'
  | 'leave'
  | 'edit_group'
  | 'edit_schedule'
  | 'delete_schedule'
  | 'act_as_member'
  | 'act';

const apiRule = ({ bridge }: ScenarioWorld, given: Permission): object => {
  const { door, site, schedule, group, rest } = ruleOf(given, (kind, name) => bridge.ids[keyOf[kind](name)]!);
  const named = { gadget_id: door, site_id: site, schedule_id: schedule, member_group_id: group };
  return { ...Object.fromEntries(Object.entries(named).filter(([, id]) => id !== undefined)), ...rest };
};

const between = (starts: string | null | undefined, ends: string | null | undefined): string =>
  [starts == null ? '' : ` from ${starts}`, ends == null ? '' : ` until ${ends}`].join('');

const gadgetPath = ({ bridge }: ScenarioWorld, door: string, action: string): string =>
  `/gadgets/${bridge.ids[keyOf.door(door)]}/actions/${action}`;

/** What the booking system asks of the bridge, by the public API alone. */
export const deskActs: Doings<DeskAct> = {
  create_member: {
    words: ({ name, starts, ends, groups }) =>
      `The desk makes ${name} a member${between(starts, ends)}${groups.length === 0 ? '' : `, in ${groups.map(one => (typeof one === 'string' ? one : one.group)).join(' and ')}`}`,
    run: (world, { name, ...plan }) => world.people.create(name, plan),
  },
  edit_member: {
    words: ({ who, starts, ends }) => `The desk changes the dates of ${who}${between(starts, ends)}`,
    run: async ({ people }, { who, ...dates }) => {
      await people.ask('PATCH', `/members/${people.of(who).id}`, people.dates(dates));
    },
  },
  delete_member: {
    words: who => `The desk deletes ${who}`,
    run: async ({ people }, who) => {
      await people.ask('DELETE', `/members/${people.of(who).id}`);
    },
  },
  undelete_member: {
    words: who => `The desk takes ${who} back`,
    run: async ({ people }, who) => {
      await people.ask('PATCH', `/members/${people.of(who).id}`, { is_deleted: false });
    },
  },
  create_pin: {
    words: ({ who, pin }) => `The desk gives ${who} the PIN ${pin}`,
    run: ({ people }, { who, pin }) => people.createPin(who, pin),
  },
  delete_pin: { words: who => `The desk deletes the PIN of ${who}`, run: ({ people }, who) => people.deletePin(who) },
  create_card: {
    words: ({ who, card }) => `The desk gives ${who} the card ${card}`,
    run: ({ people }, { who, card }) => people.createCard(who, card),
  },
  delete_card: {
    words: who => `The desk deletes the card of ${who}`,
    run: ({ people }, who) => people.deleteCard(who),
  },
  join: {
    words: ({ who, group }) =>
      typeof group === 'string'
        ? `The desk puts ${who} into ${group}`
        : `The desk puts ${who} into ${group.group}${between(group.starts, group.ends)}`,
    run: ({ people }, { who, group }) => people.join(who, group),
  },
  leave: {
    words: ({ who, group }) => `The desk takes ${who} out of ${group}`,
    run: ({ people }, { who, group }) => people.leave(who, group),
  },
  edit_group: {
    words: ({ group }) => `The desk changes what ${group} may do`,
    run: async (world, { group, permissions }) => {
      const rules = permissions.map(one => apiRule(world, one));
      await world.people.ask('PATCH', `/member_groups/${world.bridge.ids[keyOf.group(group)]}`, { permissions: rules });
    },
  },
  edit_schedule: {
    words: ({ schedule, hours }) => `The desk changes the schedule ${schedule} to ${hours}`,
    run: async ({ people, bridge }, { schedule, hours }) => {
      await people.ask('PATCH', `/schedules/${bridge.ids[keyOf.schedule(schedule)]}`, { weekdays: weeklyHours(hours) });
    },
  },
  delete_schedule: {
    words: schedule => `The desk deletes the schedule ${schedule}`,
    run: async ({ people, bridge }, schedule) => {
      await people.ask('DELETE', `/schedules/${bridge.ids[keyOf.schedule(schedule)]}`);
    },
  },
  act_as_member: {
    words: ({ who, door, action, location }) =>
      `${who} asks over the internet to ${action} ${door}${location === undefined ? '' : ` from ${location.lat}, ${location.lng}`}`,
    run: async (world, { who, door, action, location }) => {
      const body = { member_id: world.people.of(who).id, ...(location === undefined ? {} : { location }) };
      await world.people.ask('POST', `${gadgetPath(world, door, action)}/execute_as_member`, body);
    },
  },
  act: {
    words: ({ door, action }) => `The booking system asks to ${action} ${door}`,
    run: async (world, { door, action }) => {
      await world.people.ask('POST', gadgetPath(world, door, action), {});
    },
  },
};
