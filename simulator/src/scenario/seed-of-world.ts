import type { Permission, WorldPlan } from './world-schema.ts';
import { weeklyHours } from './weekly-hours.ts';

/** Names of one kind do not meet those of another. */
export const keyOf = {
  site: (name: string) => `site ${name}`,
  controller: (name: string) => `controller ${name}`,
  door: (name: string) => `door ${name}`,
  schedule: (name: string) => `schedule ${name}`,
  group: (name: string) => `group ${name}`,
} as const;

export const HOTEL = 'hotel';
export const BOOKING = 'booking system';

const parts = (ids: readonly string[]) => ids.map(id => ({ id, name: id }));

const doorParts = {
  states: parts(['locked', 'unlocked', 'open', 'held_open', 'forced']),
  signals: parts(['exit_button', 'pre_alarm', 'held_open', 'forced']),
};

/** A permission as in a seed file; `refer` returns what stands for a name. */
export const permissionOf = (
  given: Permission,
  refer: (kind: 'door' | 'site' | 'schedule' | 'group', name: string) => string,
) => {
  const { door, site, schedule, group, action, methods, presence }: Exclude<Permission, string> =
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

/** The place as a seed file. Members come through the API, as a booking system creates them. */
export const seedOfWorld = ({ sites, controllers, schedules, groups, triggers }: WorldPlan): object => {
  const [firstSite] = Object.keys(sites);
  return {
    organization: { key: HOTEL, name: 'Hotel', whitelabel: true },
    applications: [{ key: BOOKING, name: 'Booking system' }],
    sites: Object.entries(sites).map(([name, { timezone, geo }]) => ({
      key: keyOf.site(name),
      name,
      timezone,
      geo: geo && { location: { lat: geo.lat, lng: geo.lng }, radius: geo.radius },
    })),
    devices: Object.entries(controllers).map(([name, { site, rules }]) => ({
      key: keyOf.controller(name),
      site: keyOf.site(site ?? firstSite!),
      name,
      product_id: 'virtual',
      input_rules: rules.map(one => ({ code: one.code, gadget: keyOf.door(one.door), action_id: one.action })),
    })),
    gadgets: Object.entries(controllers).flatMap(([controller, { doors }]) =>
      doors.map(({ name, actions, isDoor }) => ({
        key: keyOf.door(name),
        device: keyOf.controller(controller),
        name,
        actions: parts(actions),
        ...(isDoor ? doorParts : { states: parts(actions), signals: [] }),
      })),
    ),
    schedules: Object.entries(schedules).map(([name, hours]) => ({
      key: keyOf.schedule(name),
      name,
      weekdays: weeklyHours(hours),
    })),
    member_groups: Object.entries(groups).map(([name, permissions]) => ({
      key: keyOf.group(name),
      name,
      permissions: permissions.map(one => permissionOf(one, (kind, of) => keyOf[kind](of))),
    })),
    gadget_triggers: triggers.map(({ when, do: target }, index) => ({
      key: `trigger ${index}`,
      source_gadget: keyOf.door(when.door),
      source_type: when.state === undefined ? 'signal' : 'state',
      source_state_id: when.state,
      source_signal_id: when.signal,
      target_gadget: keyOf.door(target.door),
      target_action_id: target.action,
    })),
  };
};
