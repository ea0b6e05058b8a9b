import type { Report, Scenario } from './scenario-schema.ts';

type Kind = 'site' | 'schedule' | 'controller' | 'door' | 'group' | 'member' | 'place' | 'line';

/** Which field of a file names what. `at` is a controller or one of its doors. */
const kinds: Readonly<Record<string, Kind>> = {
  site: 'site',
  schedule: 'schedule',
  door: 'door',
  group: 'group',
  who: 'member',
  exit: 'door',
  push: 'door',
  force: 'door',
  close: 'door',
  opens: 'door',
  unlocked: 'door',
  locked: 'door',
  delete_member: 'member',
  undelete_member: 'member',
  delete_pin: 'member',
  delete_card: 'member',
  delete_schedule: 'schedule',
  cut_internet: 'line',
  restore_internet: 'line',
  cut_power: 'controller',
  restore_power: 'controller',
  online: 'controller',
  offline: 'controller',
};

/** Here `at` is a time, and not a place. */
const timed = new Set(['steps', 'event', 'webhook']);

const EVERYWHERE = 'everywhere';

const namesIn = ({ world, steps }: Pick<Scenario, 'world' | 'steps'>): Readonly<Record<Kind, ReadonlySet<string>>> => {
  const controllers = Object.keys(world.controllers);
  const doors = Object.values(world.controllers).flatMap(one => one.doors.map(({ name }) => name));
  const made = steps.flatMap(({ do: acts = [] }) => acts.flatMap(({ create_member }) => create_member?.name ?? []));
  return {
    site: new Set(Object.keys(world.sites)),
    schedule: new Set(Object.keys(world.schedules)),
    controller: new Set(controllers),
    door: new Set(doors),
    group: new Set(Object.keys(world.groups)),
    member: new Set([...Object.keys(world.members), ...made]),
    place: new Set([...controllers, ...doors]),
    line: new Set([EVERYWHERE, ...controllers]),
  };
};

/** Reports names that are not defined in the file. */
export const checkNames = ({ world, steps }: Scenario, report: Report): void => {
  const names = namesIn({ world, steps });
  const check = (kind: Kind | undefined, value: string, path: readonly string[]): void => {
    if (kind === undefined || names[kind].has(value)) return;
    report(path.join('.'), 'unknown_name', `there is no ${kind} "${value}": ${[...names[kind]].join(', ')}`);
  };
  const kindAt = (path: readonly string[]): Kind | undefined => {
    const [key = '', parent = '', grandparent] = path.toReversed();
    if (key === 'at' && !timed.has(parent) && path.length > 3) return 'place';
    if (Object.hasOwn(kinds, key)) return kinds[key];
    if (path[1] === 'groups' && (parent === 'groups' || grandparent === 'groups')) return 'door';
    if (parent === 'groups') return 'group';
    return parent === 'at' ? 'controller' : undefined;
  };
  const look = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') check(kindAt(path), value, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) look(inner, [...path, name]);
  };
  look(world, ['world']);
  look(steps, ['steps']);
};
