import { editDevice } from '@lintel/cloud-bridge/resources/devices';
import * as z from 'zod';
import {
  scenarioNameSchema,
  scenarioPinSchema,
  scenarioTimeSchema,
  scenarioCardUidSchema,
  scenarioWeeklyHoursSchema,
} from '../field-schemas.ts';
import type { ScenarioWorld } from '../scenario-world.ts';
import { scenarioSeedKeyBuilders, toScenarioSeedPermission } from '../world-seed.ts';
import { parseScenarioWeeklyHours } from '../weekly-hours.ts';
import {
  scenarioGroupAssociationSchema,
  scenarioMemberSchema,
  type ScenarioPermissionPlan,
  scenarioPermissionSchema,
  scenarioInputRuleSchema,
} from '../world-schema.ts';
import { defineScenarioAction } from './define-actions-and-expectations.ts';

type Date = string | null | undefined;

const formatDates = (starts: Date, ends: Date): string =>
  [starts == null ? '' : ` from ${starts}`, ends == null ? '' : ` until ${ends}`].join('');

const groupOf = (given: z.output<typeof scenarioGroupAssociationSchema>) =>
  typeof given === 'string' ? { group: given } : given;

const idOf = ({ bridge }: ScenarioWorld, kind: keyof typeof scenarioSeedKeyBuilders, of: string): string =>
  bridge.ids[scenarioSeedKeyBuilders[kind](of)]!;

const apiPermission = (world: ScenarioWorld, given: ScenarioPermissionPlan): object => {
  const { gadget, site, schedule, group, ...rest } = toScenarioSeedPermission(given, (kind, of) =>
    idOf(world, kind, of),
  );
  return { gadget_id: gadget, site_id: site, schedule_id: schedule, member_group_id: group, ...rest };
};

const actionPath = (world: ScenarioWorld, door: string, action: string): string =>
  `/gadgets/${idOf(world, 'door', door)}/actions/${action}`;

/** Requests of the booking system to the public API. `edit_rules` is an administrator's. */
export const scenarioApiActions = {
  create_member: defineScenarioAction(
    z.strictObject({ name: scenarioNameSchema, ...scenarioMemberSchema.shape }),
    ({ name: who, starts, ends, groups }) => {
      const names = groups.map(association => groupOf(association).group).join(' and ');
      return `The booking system creates member ${who}${formatDates(starts, ends)}${names === '' ? '' : ` in ${names}`}`;
    },
    ({ members }, { name: who, ...plan }) => members.create(who, plan),
  ),
  edit_member: defineScenarioAction(
    z.strictObject({
      who: scenarioNameSchema,
      starts: scenarioTimeSchema.nullish(),
      ends: scenarioTimeSchema.nullish(),
    }),
    ({ who, starts, ends }) => `The booking system changes the dates of ${who}${formatDates(starts, ends)}`,
    ({ members }, { who, ...dates }) =>
      members.request('PATCH', `/members/${members.of(who).id}`, members.dates(dates)),
  ),
  delete_member: defineScenarioAction(scenarioNameSchema, 'The booking system deletes member {}', ({ members }, who) =>
    members.request('DELETE', `/members/${members.of(who).id}`),
  ),
  undelete_member: defineScenarioAction(
    scenarioNameSchema,
    'The booking system restores member {}',
    ({ members }, who) => members.request('PATCH', `/members/${members.of(who).id}`, { is_deleted: false }),
  ),
  create_pin: defineScenarioAction(
    z.strictObject({ who: scenarioNameSchema, pin: scenarioPinSchema }),
    'The booking system creates PIN {pin} for {who}',
    ({ members }, given) => members.createCredential(given.who, 'pin', given.pin),
  ),
  delete_pin: defineScenarioAction(scenarioNameSchema, 'The booking system deletes the PIN of {}', ({ members }, who) =>
    members.deleteCredential(who, 'pin'),
  ),
  create_card: defineScenarioAction(
    z.strictObject({ who: scenarioNameSchema, card: scenarioCardUidSchema }),
    'The booking system creates card {card} for {who}',
    ({ members }, given) => members.createCredential(given.who, 'card', given.card),
  ),
  delete_card: defineScenarioAction(
    scenarioNameSchema,
    'The booking system deletes the card of {}',
    ({ members }, who) => members.deleteCredential(who, 'card'),
  ),
  join: defineScenarioAction(
    z.strictObject({ who: scenarioNameSchema, group: scenarioGroupAssociationSchema }),
    ({ who, group: given }) => {
      const { group, starts, ends }: { group: string; starts?: Date; ends?: Date } = groupOf(given);
      return `The booking system adds ${who} to ${group}${formatDates(starts, ends)}`;
    },
    ({ members }, { who, group }) => members.join(who, group),
  ),
  leave: defineScenarioAction(
    z.strictObject({ who: scenarioNameSchema, group: scenarioNameSchema }),
    'The booking system removes {who} from {group}',
    ({ members }, given) => members.leave(given.who, given.group),
  ),
  edit_group: defineScenarioAction(
    z.strictObject({ group: scenarioNameSchema, permissions: z.array(scenarioPermissionSchema) }),
    'The booking system changes the permissions of {group}',
    (world, { group, permissions }) =>
      world.members.request('PATCH', `/member_groups/${idOf(world, 'group', group)}`, {
        permissions: permissions.map(plan => apiPermission(world, plan)),
      }),
  ),
  edit_schedule: defineScenarioAction(
    z.strictObject({ schedule: scenarioNameSchema, hours: scenarioWeeklyHoursSchema }),
    'The booking system changes schedule {schedule} to {hours}',
    (world, { schedule, hours }) =>
      world.members.request('PATCH', `/schedules/${idOf(world, 'schedule', schedule)}`, {
        weekdays: parseScenarioWeeklyHours(hours),
      }),
  ),
  delete_schedule: defineScenarioAction(
    scenarioNameSchema,
    'The booking system deletes schedule {}',
    (world, schedule) => world.members.request('DELETE', `/schedules/${idOf(world, 'schedule', schedule)}`),
  ),
  edit_rules: defineScenarioAction(
    z.strictObject({ at: scenarioNameSchema, rules: z.array(scenarioInputRuleSchema) }),
    'The administrator edits the input rules of {at}',
    (world, { at, rules }) => {
      const input_rules = rules.map(({ code, door, action }) => ({
        code,
        gadget_id: idOf(world, 'door', door),
        action_id: action,
      }));
      return world.bridge.administer(context => editDevice(context, world.at(at).options.deviceId, { input_rules }));
    },
  ),
  act_as_member: defineScenarioAction(
    z.strictObject({
      who: scenarioNameSchema,
      door: scenarioNameSchema,
      action: scenarioNameSchema.default('open'),
      location: z.strictObject({ lat: z.number(), lng: z.number() }).optional(),
    }),
    ({ who, door, action, location }) =>
      `${who} requests "${action}" for ${door} over the internet${location === undefined ? '' : ` from ${location.lat}, ${location.lng}`}`,
    (world, { who, door, action, location }) => {
      const body = { member_id: world.members.of(who).id, ...(location === undefined ? {} : { location }) };
      return world.members.request('POST', `${actionPath(world, door, action)}/execute_as_member`, body);
    },
  ),
  act: defineScenarioAction(
    z.strictObject({ door: scenarioNameSchema, action: scenarioNameSchema.default('open') }),
    'The booking system requests "{action}" for {door}',
    (world, { door, action }) => world.members.request('POST', actionPath(world, door, action), {}),
  ),
};
