import { instant } from '@lintel/access-core/instant';
import { resolveTimeZone } from '@lintel/access-core/time-zone';
import { parseScenarioTime } from '../scenario-time.ts';
import { type ScenarioActionPlan, expectsApiRejection } from '../steps/step-schema.ts';
import type { ScenarioMemberPlan } from '../world-schema.ts';
import type { ReportScenarioProblem, Scenario } from './scenario-schema.ts';

interface Dates {
  readonly starts?: string | null | undefined;
  readonly ends?: string | null | undefined;
}

/** Reports what the bridge would reject: a PIN or card that is in use, or an end before the start. */
export const reportScenarioMemberProblems = ({ world, steps }: Scenario, report: ReportScenarioProblem): void => {
  const zone = resolveTimeZone(Object.values(world.sites)[0]?.timezone);
  if (!zone.ok) return;
  let now = parseScenarioTime(world.begins, instant(0), zone.value);
  const time = (text: string) => parseScenarioTime(text, now, zone.value);
  /** The member of each PIN or card, as far as it is known without playing the scenario. */
  const holders = new Map<string, string>();

  const checkDates = (given: Dates | string, path: string): void => {
    if (typeof given === 'string' || given.starts == null || given.ends == null) return;
    if (time(given.starts) <= time(given.ends)) return;
    report(`${path}.ends`, 'ends_before_start', `"${given.ends}" is before the start, "${given.starts}"`);
  };
  const assign = (what: 'pin' | 'card', value: string | undefined, who: string, path: string): void => {
    if (value === undefined) return;
    const holder = holders.get(`${what} ${value}`);
    if (holder === undefined) holders.set(`${what} ${value}`, who);
    else report(path, `${what}_twice`, `is already the ${what === 'pin' ? 'PIN' : 'card'} of ${holder}`);
  };
  /** An edited member, or a member with an end date, may lose PIN and card. */
  const release = (who: string): void => {
    for (const [what, holder] of holders) if (holder === who) holders.delete(what);
  };
  const checkMember = (name: string, member: ScenarioMemberPlan, path: string): void => {
    checkDates(member, path);
    for (const [index, group] of member.groups.entries()) checkDates(group, `${path}.groups.${index}`);
    assign('pin', member.pin, name, `${path}.pin`);
    assign('card', member.card, name, `${path}.card`);
  };
  const checkAct = (
    { create_member, edit_member, create_pin, create_card, join }: ScenarioActionPlan,
    path: string,
  ): void => {
    if (create_member !== undefined) checkMember(create_member.name, create_member, `${path}.create_member`);
    if (create_member?.ends !== undefined) release(create_member.name);
    if (edit_member !== undefined) checkDates(edit_member, `${path}.edit_member`);
    if (create_pin !== undefined) assign('pin', create_pin.pin, create_pin.who, `${path}.create_pin.pin`);
    if (create_card !== undefined) assign('card', create_card.card, create_card.who, `${path}.create_card.card`);
    if (join !== undefined) checkDates(join.group, `${path}.join.group`);
  };

  for (const [name, member] of Object.entries(world.members)) checkMember(name, member, `world.members.${name}`);
  for (const [name, { ends }] of Object.entries(world.members)) if (ends !== undefined) release(name);
  for (const [index, step] of steps.entries()) {
    if (step.at !== undefined) now = instant(Math.max(now, time(step.at)));
    for (const [place, action] of (step.do ?? []).entries()) {
      const editedMember = action.delete_member ?? action.delete_pin ?? action.delete_card ?? action.edit_member?.who;
      if (editedMember !== undefined) release(editedMember);
      if (!expectsApiRejection(step)) checkAct(action, `steps.${index}.do.${place}`);
    }
  }
};
