import { editDevice } from '@lintel/cloud-bridge/resources/devices';
import * as z from 'zod';
import { name, pin, time, uid, weekly } from '../named-texts.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { keyOf, permissionOf } from '../seed-of-world.ts';
import { weeklyHours } from '../weekly-hours.ts';
import { belonging, member, type Permission, permission, rule } from '../world-schema.ts';
import { act } from './step-kind.ts';

type Date = string | null | undefined;

const between = (starts: Date, ends: Date): string =>
  [starts == null ? '' : ` from ${starts}`, ends == null ? '' : ` until ${ends}`].join('');

const groupOf = (given: z.output<typeof belonging>) => (typeof given === 'string' ? { group: given } : given);

const idOf = ({ bridge }: ScenarioWorld, kind: keyof typeof keyOf, of: string): string => bridge.ids[keyOf[kind](of)]!;

const apiPermission = (world: ScenarioWorld, given: Permission): object => {
  const { gadget, site, schedule, group, ...rest } = permissionOf(given, (kind, of) => idOf(world, kind, of));
  return { gadget_id: gadget, site_id: site, schedule_id: schedule, member_group_id: group, ...rest };
};

const actionPath = (world: ScenarioWorld, door: string, action: string): string =>
  `/gadgets/${idOf(world, 'door', door)}/actions/${action}`;

/** What the booking system asks of the bridge by the public API; `edit_rules` is the administrator's. */
export const apiActs = {
  create_member: act(
    z.strictObject({ name, ...member.shape }),
    ({ name: who, starts, ends, groups }) => {
      const names = groups.map(one => groupOf(one).group).join(' and ');
      return `The desk makes ${who} a member${between(starts, ends)}${names === '' ? '' : `, in ${names}`}`;
    },
    ({ people }, { name: who, ...plan }) => people.create(who, plan),
  ),
  edit_member: act(
    z.strictObject({ who: name, starts: time.nullish(), ends: time.nullish() }),
    ({ who, starts, ends }) => `The desk changes the dates of ${who}${between(starts, ends)}`,
    ({ people }, { who, ...dates }) => people.ask('PATCH', `/members/${people.of(who).id}`, people.dates(dates)),
  ),
  delete_member: act(name, 'The desk deletes {}', ({ people }, who) =>
    people.ask('DELETE', `/members/${people.of(who).id}`),
  ),
  undelete_member: act(name, 'The desk takes {} back', ({ people }, who) =>
    people.ask('PATCH', `/members/${people.of(who).id}`, { is_deleted: false }),
  ),
  create_pin: act(z.strictObject({ who: name, pin }), 'The desk gives {who} the PIN {pin}', ({ people }, given) =>
    people.createCredential(given.who, 'pin', given.pin),
  ),
  delete_pin: act(name, 'The desk deletes the PIN of {}', ({ people }, who) => people.deleteCredential(who, 'pin')),
  create_card: act(
    z.strictObject({ who: name, card: uid }),
    'The desk gives {who} the card {card}',
    ({ people }, given) => people.createCredential(given.who, 'card', given.card),
  ),
  delete_card: act(name, 'The desk deletes the card of {}', ({ people }, who) => people.deleteCredential(who, 'card')),
  join: act(
    z.strictObject({ who: name, group: belonging }),
    ({ who, group: given }) => {
      const { group, starts, ends }: { group: string; starts?: Date; ends?: Date } = groupOf(given);
      return `The desk puts ${who} into ${group}${between(starts, ends)}`;
    },
    ({ people }, { who, group }) => people.join(who, group),
  ),
  leave: act(z.strictObject({ who: name, group: name }), 'The desk takes {who} out of {group}', ({ people }, given) =>
    people.leave(given.who, given.group),
  ),
  edit_group: act(
    z.strictObject({ group: name, permissions: z.array(permission) }),
    'The desk changes what {group} may do',
    (world, { group, permissions }) =>
      world.people.ask('PATCH', `/member_groups/${idOf(world, 'group', group)}`, {
        permissions: permissions.map(one => apiPermission(world, one)),
      }),
  ),
  edit_schedule: act(
    z.strictObject({ schedule: name, hours: weekly }),
    'The desk changes the schedule {schedule} to {hours}',
    (world, { schedule, hours }) =>
      world.people.ask('PATCH', `/schedules/${idOf(world, 'schedule', schedule)}`, { weekdays: weeklyHours(hours) }),
  ),
  delete_schedule: act(name, 'The desk deletes the schedule {}', (world, schedule) =>
    world.people.ask('DELETE', `/schedules/${idOf(world, 'schedule', schedule)}`),
  ),
  edit_rules: act(
    z.strictObject({ at: name, rules: z.array(rule) }),
    'The administrator edits the input rules of {at}',
    (world, { at, rules }) => {
      const input_rules = rules.map(({ code, door, action }) => ({
        code,
        gadget_id: idOf(world, 'door', door),
        action_id: action,
      }));
      return world.bridge.administer(context => editDevice(context, world.at(at).place.deviceId, { input_rules }));
    },
  ),
  act_as_member: act(
    z.strictObject({
      who: name,
      door: name,
      action: name.default('open'),
      location: z.strictObject({ lat: z.number(), lng: z.number() }).optional(),
    }),
    ({ who, door, action, location }) =>
      `${who} asks over the internet to ${action} ${door}${location === undefined ? '' : ` from ${location.lat}, ${location.lng}`}`,
    (world, { who, door, action, location }) => {
      const body = { member_id: world.people.of(who).id, ...(location === undefined ? {} : { location }) };
      return world.people.ask('POST', `${actionPath(world, door, action)}/execute_as_member`, body);
    },
  ),
  act: act(
    z.strictObject({ door: name, action: name.default('open') }),
    'The booking system asks to {action} {door}',
    (world, { door, action }) => world.people.ask('POST', actionPath(world, door, action), {}),
  ),
};
