import type { ReportScenarioProblem, Scenario } from './scenario-schema.ts';

type Kind =
  | 'site'
  | 'schedule'
  | 'controller'
  | 'door'
  | 'group'
  | 'member'
  | 'controller or door'
  | 'controller or "everywhere"';

/** The kind of name in each field. `at` is a controller or one of its doors. */
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
  cut_internet: 'controller or "everywhere"',
  restore_internet: 'controller or "everywhere"',
  cut_power: 'controller',
  restore_power: 'controller',
  online: 'controller',
  offline: 'controller',
};

/** Parents whose field `at` is a time. */
const timed = new Set(['steps', 'event', 'webhook']);

const EVERYWHERE = 'everywhere';

const namesIn = ({ world, steps }: Pick<Scenario, 'world' | 'steps'>): Readonly<Record<Kind, ReadonlySet<string>>> => {
  const controllers = Object.keys(world.controllers);
  const doors = Object.values(world.controllers).flatMap(controller => controller.doors.map(({ name }) => name));
  const created = steps.flatMap(({ do: actions = [] }) =>
    actions.flatMap(({ create_member }) => create_member?.name ?? []),
  );
  return {
    site: new Set(Object.keys(world.sites)),
    schedule: new Set(Object.keys(world.schedules)),
    controller: new Set(controllers),
    door: new Set(doors),
    group: new Set(Object.keys(world.groups)),
    member: new Set([...Object.keys(world.members), ...created]),
    'controller or door': new Set([...controllers, ...doors]),
    'controller or "everywhere"': new Set([EVERYWHERE, ...controllers]),
  };
};

/** Reports names that are not defined in the file. */
export const reportUndefinedScenarioNames = ({ world, steps }: Scenario, report: ReportScenarioProblem): void => {
  const names = namesIn({ world, steps });
  const check = (kind: Kind | undefined, value: string, path: readonly string[]): void => {
    if (kind === undefined || names[kind].has(value)) return;
    report(
      path.join('.'),
      'unknown_name',
      `Unknown ${kind} "${value}". Defined: ${[...names[kind]].join(', ') || 'none'}`,
    );
  };
  const kindAt = (path: readonly string[]): Kind | undefined => {
    const [key = '', parent = '', grandparent] = path.toReversed();
    if (key === 'at' && !timed.has(parent) && path.length > 3) return 'controller or door';
    if (Object.hasOwn(kinds, key)) return kinds[key];
    if (path[1] === 'groups' && (parent === 'groups' || grandparent === 'groups')) return 'door';
    if (parent === 'groups') return 'group';
    return parent === 'at' ? 'controller' : undefined;
  };
  const visit = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') check(kindAt(path), value, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, [...path, name]);
  };
  visit(world, ['world']);
  visit(steps, ['steps']);
};
