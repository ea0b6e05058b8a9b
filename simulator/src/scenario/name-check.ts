import { type Problem, problem } from '@lintel/access-core/result';
import type { Scenario } from './scenario-schema.ts';

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

const namesIn = ({ world, steps }: Scenario): Readonly<Record<Kind, ReadonlySet<string>>> => {
  const controllers = Object.keys(world.controllers);
  const doors = Object.values(world.controllers).flatMap(({ doors }) =>
    doors.map(door => (typeof door === 'string' ? door : door.name)),
  );
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

/** Names that nobody in the file has, with the place where they stand. */
export const unknownNames = (scenario: Scenario): readonly Problem[] => {
  const names = namesIn(scenario);
  const problems: Problem[] = [];
  const check = (kind: Kind, value: string, path: string): void => {
    if (!names[kind].has(value))
      problems.push(problem(path, 'unknown_name', `there is no ${kind} "${value}": ${[...names[kind]].join(', ')}`));
  };
  const look = (value: unknown, path: readonly string[]): void => {
    const key = path.at(-1) ?? '';
    const parent = path.at(-2) ?? '';
    if (typeof value === 'string') {
      const isPlace = key === 'at' && !timed.has(parent) && path.length > 3;
      const kind = isPlace ? 'place' : Object.hasOwn(kinds, key) ? kinds[key] : undefined;
      const inList = parent === 'groups' || path.at(-3) === 'groups';
      if (kind !== undefined) check(kind, value, path.join('.'));
      else if (inList && path[0] === 'world' && path[1] === 'groups') check('door', value, path.join('.'));
      else if (parent === 'groups') check('group', value, path.join('.'));
      else if (parent === 'at') check('controller', value, path.join('.'));
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) look(inner, [...path, name]);
    }
  };
  look(scenario.world, ['world']);
  look(scenario.steps, ['steps']);
  return problems;
};
