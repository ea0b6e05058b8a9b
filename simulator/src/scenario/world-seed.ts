import type { ScenarioPermissionPlan, ScenarioWorldPlan } from './world-schema.ts';
import { parseScenarioWeeklyHours } from './weekly-hours.ts';

/** Keys in the seed file. The prefix keeps names of different kinds apart. */
export const scenarioSeedKeyBuilders = {
  site: (name: string) => `site ${name}`,
  controller: (name: string) => `controller ${name}`,
  door: (name: string) => `door ${name}`,
  schedule: (name: string) => `schedule ${name}`,
  group: (name: string) => `group ${name}`,
} as const;

export const HOTEL_SEED_KEY = 'hotel';
export const BOOKING_SYSTEM_SEED_KEY = 'booking system';

const namedIds = (ids: readonly string[]) => ids.map(id => ({ id, name: id }));

const doorStatesAndSignals = {
  states: namedIds(['locked', 'unlocked', 'open', 'held_open', 'forced']),
  signals: namedIds(['exit_button', 'pre_alarm', 'held_open', 'forced']),
};

/** Converts a permission to the format of a seed file. `refer` returns the reference for a name. */
export const toScenarioSeedPermission = (
  given: ScenarioPermissionPlan,
  refer: (kind: 'door' | 'site' | 'schedule' | 'group', name: string) => string,
) => {
  const { door, site, schedule, group, action, methods, presence }: Exclude<ScenarioPermissionPlan, string> =
    typeof given === 'string' ? { door: given } : given;
  const reference = (kind: Parameters<typeof refer>[0], name: string | undefined) =>
    name === undefined ? undefined : refer(kind, name);
  return {
    gadget: reference('door', door),
    site: reference('site', site),
    schedule: reference('schedule', schedule),
    group: reference('group', group),
    action_id: action,
    presence,
    access_methods: methods && Object.fromEntries(methods.map(method => [method, true])),
  };
};

/** The seed file for a world, without members: these are created through the API, as a booking system does. */
export const createScenarioWorldSeed = ({
  sites,
  controllers,
  schedules,
  groups,
  triggers,
}: ScenarioWorldPlan): object => {
  const [firstSite] = Object.keys(sites);
  return {
    organization: { key: HOTEL_SEED_KEY, name: 'Hotel', whitelabel: true },
    applications: [{ key: BOOKING_SYSTEM_SEED_KEY, name: 'Booking system' }],
    sites: Object.entries(sites).map(([name, { timezone, geo }]) => ({
      key: scenarioSeedKeyBuilders.site(name),
      name,
      timezone,
      geo: geo && { location: { lat: geo.lat, lng: geo.lng }, radius: geo.radius },
    })),
    devices: Object.entries(controllers).map(([name, { site, rules }]) => ({
      key: scenarioSeedKeyBuilders.controller(name),
      site: scenarioSeedKeyBuilders.site(site ?? firstSite!),
      name,
      product_id: 'virtual',
      input_rules: rules.map(({ code, door, action }) => ({
        code,
        gadget: scenarioSeedKeyBuilders.door(door),
        action_id: action,
      })),
    })),
    gadgets: Object.entries(controllers).flatMap(([controller, { doors }]) =>
      doors.map(({ name, actions, isDoor }) => ({
        key: scenarioSeedKeyBuilders.door(name),
        device: scenarioSeedKeyBuilders.controller(controller),
        name,
        actions: namedIds(actions),
        ...(isDoor ? doorStatesAndSignals : { states: namedIds(actions), signals: [] }),
      })),
    ),
    schedules: Object.entries(schedules).map(([name, hours]) => ({
      key: scenarioSeedKeyBuilders.schedule(name),
      name,
      weekdays: parseScenarioWeeklyHours(hours),
    })),
    member_groups: Object.entries(groups).map(([name, permissions]) => ({
      key: scenarioSeedKeyBuilders.group(name),
      name,
      permissions: permissions.map(permission =>
        toScenarioSeedPermission(permission, (kind, of) => scenarioSeedKeyBuilders[kind](of)),
      ),
    })),
    gadget_triggers: triggers.map(({ when, do: target }, index) => ({
      key: `trigger ${index}`,
      source_gadget: scenarioSeedKeyBuilders.door(when.door),
      source_type: when.state === undefined ? 'signal' : 'state',
      source_state_id: when.state,
      source_signal_id: when.signal,
      target_gadget: scenarioSeedKeyBuilders.door(target.door),
      target_action_id: target.action,
    })),
  };
};
