import { type Instant, instant } from '@lintel/access-core/instant';
import { type Problem, problem } from '@lintel/access-core/result';
import { type Zone, zoneFor } from '@lintel/access-core/time-zone';
import type { Scenario } from './scenario-schema.ts';
import { timeOf } from './scenario-time.ts';
import type { Act } from './step-schema.ts';
import type { MemberPlan } from './world-schema.ts';

interface Dates {
  readonly starts?: string | null | undefined;
  readonly ends?: string | null | undefined;
}

const wrongDates = ({ starts, ends }: Dates, path: string, time: (text: string) => Instant): readonly Problem[] =>
  starts == null || ends == null || time(starts) <= time(ends)
    ? []
    : [problem(`${path}.ends`, 'ends_before_start', `"${ends}" is before "${starts}", when it starts`)];

const wrongGroups = (groups: MemberPlan['groups'], path: string, time: (text: string) => Instant): readonly Problem[] =>
  groups.flatMap((group, index) => (typeof group === 'string' ? [] : wrongDates(group, `${path}.${index}`, time)));

/** Who has which PIN or card, as far as the file tells without being played: whoever ends is deleted some day. */
class Holders {
  readonly #held = new Map<string, string>();

  give(what: 'pin' | 'card', value: string | undefined, who: string, path: string): readonly Problem[] {
    if (value === undefined) return [];
    const holder = this.#held.get(`${what} ${value}`);
    if (holder === undefined) this.#held.set(`${what} ${value}`, who);
    const noun = what === 'pin' ? 'PIN' : 'card';
    return holder === undefined ? [] : [problem(path, `${what}_twice`, `is the ${noun} of ${holder} already`)];
  }

  mayLose(who: string): void {
    for (const [what, holder] of this.#held) if (holder === who) this.#held.delete(what);
  }
}

const wrongAct = (act: Act, path: string, holders: Holders, time: (text: string) => Instant): readonly Problem[] => {
  const { create_member, edit_member, create_pin, create_card, join } = act;
  if (create_member !== undefined) {
    const { name, groups, pin, card } = create_member;
    const at = `${path}.create_member`;
    return [
      ...wrongDates(create_member, at, time),
      ...wrongGroups(groups, `${at}.groups`, time),
      ...holders.give('pin', pin, name, `${at}.pin`),
      ...holders.give('card', card, name, `${at}.card`),
    ];
  }
  if (edit_member !== undefined) return wrongDates(edit_member, `${path}.edit_member`, time);
  if (create_pin !== undefined) return holders.give('pin', create_pin.pin, create_pin.who, `${path}.create_pin.pin`);
  if (create_card !== undefined)
    return holders.give('card', create_card.card, create_card.who, `${path}.create_card.card`);
  return join === undefined || typeof join.group === 'string' ? [] : wrongDates(join.group, `${path}.join.group`, time);
};

const whoMayLose = ({ delete_member, delete_pin, delete_card, edit_member }: Act): string | undefined =>
  delete_member ?? delete_pin ?? delete_card ?? edit_member?.who;

const wrongSteps = (steps: Scenario['steps'], begins: Instant, zone: Zone, holders: Holders): readonly Problem[] => {
  let now = begins;
  const time = (text: string): Instant => timeOf(text, now, zone);
  return steps.flatMap(({ at, do: acts = [], expect = [] }, step) => {
    if (at !== undefined) now = instant(Math.max(now, time(at)));
    const mayBeRefused = expect.some(({ answer }) => answer !== undefined && answer.status !== 200);
    return acts.flatMap((act, place) => {
      const loser = whoMayLose(act);
      if (loser !== undefined) holders.mayLose(loser);
      if (mayBeRefused) return [];
      const problems = wrongAct(act, `steps.${step}.do.${place}`, holders, time);
      if (act.create_member?.ends !== undefined) holders.mayLose(act.create_member.name);
      return problems;
    });
  });
};

/** Members whom the bridge would refuse: a PIN or a card that somebody has, an end before the start. */
export const impossibleMembers = ({ world, steps }: Scenario): readonly Problem[] => {
  const zone = zoneFor(Object.values(world.sites)[0]?.timezone);
  if (!zone.ok) return [];
  const begins = timeOf(world.begins, instant(0), zone.value);
  const time = (text: string): Instant => timeOf(text, begins, zone.value);
  const holders = new Holders();
  const problems = Object.entries(world.members).flatMap(([name, member]) => {
    const path = `world.members.${name}`;
    return [
      ...wrongDates(member, path, time),
      ...wrongGroups(member.groups, `${path}.groups`, time),
      ...holders.give('pin', member.pin, name, `${path}.pin`),
      ...holders.give('card', member.card, name, `${path}.card`),
    ];
  });
  for (const [name, { ends }] of Object.entries(world.members)) if (ends !== undefined) holders.mayLose(name);
  return [...problems, ...wrongSteps(steps, begins, zone.value, holders)];
};
