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

const parts = (...ids: readonly string[]) => ids.map(id => ({ id, name: id }));

export const actionsOfDoor = ['open', 'unlock', 'lock'] as const;

const door = {
  actions: parts(...actionsOfDoor),
  states: parts('locked', 'unlocked', 'open', 'held_open', 'forced'),
  signals: parts('exit_button', 'pre_alarm', 'held_open', 'forced'),
};

const defined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

const all = (methods: readonly string[]) => Object.fromEntries(methods.map(method => [method, true]));

/** With names in place of ids; `idOf` says what stands for a name. */
export const ruleOf = <T>(
  given: Permission,
  idOf: (kind: 'door' | 'site' | 'schedule' | 'group', name: string) => T,
) => {
  const {
    door: gadget,
    site,
    schedule,
    group,
    action,
    methods,
    presence,
  } = typeof given === 'string' ? ({ door: given } as Exclude<Permission, string>) : given;
  const named = (kind: Parameters<typeof idOf>[0], value: string | undefined): T | undefined =>
    value === undefined ? undefined : idOf(kind, value);
  return {
    door: named('door', gadget),
    site: named('site', site),
    schedule: named('schedule', schedule),
    group: named('group', group),
    rest: defined({
      action_id: action,
      presence,
      access_methods: methods === undefined ? undefined : all(methods),
    }),
  };
};

const seedRule = (given: Permission) => {
  const { door: gadget, rest, ...named } = ruleOf(given, (kind, name) => keyOf[kind](name));
  return defined({ gadget, ...named, ...rest });
};

const nameOf = (gadget: string | { readonly name: string }): string =>
  typeof gadget === 'string' ? gadget : gadget.name;

/** The place as a seed file; the people come through the API, as a booking system brings them. */
export const seedOfWorld = ({ sites, controllers, schedules, groups, triggers }: WorldPlan): object => {
  const [firstSite] = Object.keys(sites);
  return {
    organization: { key: HOTEL, name: 'Hotel', whitelabel: true },
    applications: [{ key: BOOKING, name: 'Booking system' }],
    sites: Object.entries(sites).map(([name, { timezone, geo }]) => ({
      key: keyOf.site(name),
      name,
      timezone,
      ...(geo === undefined ? {} : { geo: { location: { lat: geo.lat, lng: geo.lng }, radius: geo.radius } }),
    })),
    devices: Object.entries(controllers).map(([name, { site, rules }]) => ({
      key: keyOf.controller(name),
      site: keyOf.site(site ?? firstSite!),
      name,
      product_id: 'virtual',
      input_rules: rules.map(one => ({ code: one.code, gadget: keyOf.door(one.door), action_id: one.action })),
    })),
    gadgets: Object.entries(controllers).flatMap(([controller, { doors }]) =>
      doors.map(gadget => ({
        key: keyOf.door(nameOf(gadget)),
        device: keyOf.controller(controller),
        name: nameOf(gadget),
        ...(typeof gadget === 'string'
          ? door
          : { actions: parts(...gadget.actions), states: parts(...gadget.actions), signals: [] }),
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
      permissions: permissions.map(seedRule),
    })),
    gadget_triggers: triggers.map(({ when, do: target }, index) =>
      defined({
        key: `trigger ${index}`,
        source_gadget: keyOf.door(when.door),
        source_type: when.state === undefined ? 'signal' : 'state',
        source_state_id: when.state,
        source_signal_id: when.signal,
        target_gadget: keyOf.door(target.door),
        target_action_id: target.action,
      }),
    ),
  };
};
