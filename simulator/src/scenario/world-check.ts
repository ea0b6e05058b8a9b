import { findCodeConflicts } from '@lintel/access-core/input-rules-conflicts';
import { type Problem, problem } from '@lintel/access-core/result';
import type { Scenario } from './scenario-schema.ts';
import { actionsOfDoor } from './seed-of-world.ts';
import type { Permission, WorldPlan } from './world-schema.ts';

type Rules = WorldPlan['controllers'][string]['rules'];

/** What each door can do. */
type Actions = ReadonlyMap<string, readonly string[]>;

const actionsIn = ({ controllers }: WorldPlan): Actions =>
  new Map(
    Object.values(controllers).flatMap(({ doors }) =>
      doors.map((door): readonly [string, readonly string[]] =>
        typeof door === 'string' ? [door, actionsOfDoor] : [door.name, door.actions],
      ),
    ),
  );

const doorsTwice = ({ controllers }: WorldPlan): readonly Problem[] => {
  const owners = new Map<string, string>();
  return Object.entries(controllers).flatMap(([controller, { doors }]) =>
    doors.flatMap((door, index) => {
      const [name, at] = typeof door === 'string' ? [door, ''] : [door.name, '.name'];
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, controller);
      const path = `world.controllers.${controller}.doors.${index}${at}`;
      return owner === undefined ? [] : [problem(path, 'door_twice', `"${name}" is a door of ${owner} already`)];
    }),
  );
};

const wrongAction = (
  actions: Actions,
  { door, action }: { readonly door?: string | undefined; readonly action?: string | undefined },
  path: string,
): readonly Problem[] => {
  if (action === undefined) return [];
  if (door === undefined) return [problem(`${path}.action`, 'action_without_door', 'needs a door')];
  const known = actions.get(door);
  if (known === undefined || known.includes(action)) return [];
  const message = `"${action}" is no action of ${door}: it has ${known.join(', ')}`;
  return [problem(`${path}.action`, 'unknown_action', message)];
};

const wrongRules = (actions: Actions, rules: Rules, path: string): readonly Problem[] => [
  ...findCodeConflicts(
    rules.map(({ code }) => code),
    path,
  ),
  ...rules.flatMap((rule, index) => wrongAction(actions, rule, `${path}.${index}`)),
];

const wrongPermissions = (actions: Actions, permissions: readonly Permission[], path: string): readonly Problem[] =>
  permissions.flatMap((one, index) => (typeof one === 'string' ? [] : wrongAction(actions, one, `${path}.${index}`)));

/** What the doors, their rules and what groups may do say against one another, with the place where it stands. */
export const contradictions = ({ world, steps }: Scenario): readonly Problem[] => {
  const actions = actionsIn(world);
  return [
    ...doorsTwice(world),
    ...Object.entries(world.controllers).flatMap(([name, { rules }]) =>
      wrongRules(actions, rules, `world.controllers.${name}.rules`),
    ),
    ...Object.entries(world.groups).flatMap(([name, permissions]) =>
      wrongPermissions(actions, permissions, `world.groups.${name}`),
    ),
    ...world.triggers.flatMap((trigger, index) => wrongAction(actions, trigger.do, `world.triggers.${index}.do`)),
    ...steps.flatMap(({ do: acts = [] }, step) =>
      acts.flatMap(({ edit_rules }, place) =>
        edit_rules === undefined
          ? []
          : wrongRules(actions, edit_rules.rules, `steps.${step}.do.${place}.edit_rules.rules`),
      ),
    ),
  ];
};
