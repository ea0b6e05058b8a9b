import { findInputRuleCodeConflicts } from '@lintel/access-core/input-rules-conflicts';
import type { ScenarioWorldPlan } from '../world-schema.ts';
import type { ReportScenarioProblem, Scenario } from './scenario-schema.ts';

type Rules = ScenarioWorldPlan['controllers'][string]['rules'];
type DoorAction = { readonly door?: string | undefined; readonly action?: string | undefined };

/** Reports doors with two controllers, conflicting codes, and unknown actions. */
export const reportScenarioDoorProblems = ({ world, steps }: Scenario, report: ReportScenarioProblem): void => {
  const doors = new Map<string, { readonly owner: string; readonly actions: readonly string[] }>();

  const checkAction = ({ door, action }: DoorAction, path: string): void => {
    if (action === undefined) return;
    if (door === undefined) return report(`${path}.action`, 'action_without_door', 'requires a door');
    const actions = doors.get(door)?.actions ?? [];
    if (actions.includes(action)) return;
    const message = `Unknown action "${action}" of ${door}. Actions: ${actions.join(', ')}`;
    report(`${path}.action`, 'unknown_action', message);
  };
  const checkRules = (rules: Rules, path: string): void => {
    const codes = rules.map(({ code }) => code);
    for (const conflict of findInputRuleCodeConflicts(codes, path))
      report(conflict.path, conflict.code, conflict.message);
    for (const [index, rule] of rules.entries()) checkAction(rule, `${path}.${index}`);
  };

  for (const [owner, controller] of Object.entries(world.controllers)) {
    for (const [index, { name, actions, isDoor }] of controller.doors.entries()) {
      const other = doors.get(name)?.owner;
      const path = `world.controllers.${owner}.doors.${index}${isDoor ? '' : '.name'}`;
      if (other === undefined) doors.set(name, { owner, actions });
      else report(path, 'door_twice', `"${name}" is already a door of ${other}`);
    }
  }
  for (const [name, { rules }] of Object.entries(world.controllers))
    checkRules(rules, `world.controllers.${name}.rules`);
  for (const [name, permissions] of Object.entries(world.groups)) {
    for (const [index, one] of permissions.entries())
      if (typeof one !== 'string') checkAction(one, `world.groups.${name}.${index}`);
  }
  for (const [index, { do: target }] of world.triggers.entries()) checkAction(target, `world.triggers.${index}.do`);
  for (const [step, { do: actions = [] }] of steps.entries()) {
    for (const [place, { edit_rules }] of actions.entries())
      if (edit_rules !== undefined) checkRules(edit_rules.rules, `steps.${step}.do.${place}.edit_rules.rules`);
  }
};
