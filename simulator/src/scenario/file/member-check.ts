import { instant } from '@lintel/access-core/instant';
import { zoneFor } from '@lintel/access-core/time-zone';
import { timeOf } from '../scenario-time.ts';
import { type ActPlan, mayBeRejected } from '../steps/step-schema.ts';
import type { MemberPlan } from '../world-schema.ts';
import type { Report, Scenario } from './scenario-schema.ts';

interface Dates {
  readonly starts?: string | null | undefined;
  readonly ends?: string | null | undefined;
}

/** Reports what the bridge would reject: a PIN or a card of another member, an end before the start. */
export const checkMembers = ({ world, steps }: Scenario, report: Report): void => {
  const zone = zoneFor(Object.values(world.sites)[0]?.timezone);
  if (!zone.ok) return;
  let now = timeOf(world.begins, instant(0), zone.value);
  const time = (text: string) => timeOf(text, now, zone.value);
  /** Who has which PIN or card, as far as the file tells without being played. */
  const holders = new Map<string, string>();

  const checkDates = (given: Dates | string, path: string): void => {
    if (typeof given === 'string' || given.starts == null || given.ends == null) return;
    if (time(given.starts) <= time(given.ends)) return;
    report(`${path}.ends`, 'ends_before_start', `"${given.ends}" is before "${given.starts}", when it starts`);
  };
  const give = (what: 'pin' | 'card', value: string | undefined, who: string, path: string): void => {
    if (value === undefined) return;
    const holder = holders.get(`${what} ${value}`);
    if (holder === undefined) holders.set(`${what} ${value}`, who);
    else report(path, `${what}_twice`, `is the ${what === 'pin' ? 'PIN' : 'card'} of ${holder} already`);
  };
  /** A member who is edited, or deleted some day because of an end date, may lose PIN and card. */
  const release = (who: string): void => {
    for (const [what, holder] of holders) if (holder === who) holders.delete(what);
  };
  const checkMember = (name: string, member: MemberPlan, path: string): void => {
    checkDates(member, path);
    for (const [index, group] of member.groups.entries()) checkDates(group, `${path}.groups.${index}`);
    give('pin', member.pin, name, `${path}.pin`);
    give('card', member.card, name, `${path}.card`);
  };
  const checkAct = ({ create_member, edit_member, create_pin, create_card, join }: ActPlan, path: string): void => {
    if (create_member !== undefined) checkMember(create_member.name, create_member, `${path}.create_member`);
    if (create_member?.ends !== undefined) release(create_member.name);
    if (edit_member !== undefined) checkDates(edit_member, `${path}.edit_member`);
    if (create_pin !== undefined) give('pin', create_pin.pin, create_pin.who, `${path}.create_pin.pin`);
    if (create_card !== undefined) give('card', create_card.card, create_card.who, `${path}.create_card.card`);
    if (join !== undefined) checkDates(join.group, `${path}.join.group`);
  };

  for (const [name, member] of Object.entries(world.members)) checkMember(name, member, `world.members.${name}`);
  for (const [name, { ends }] of Object.entries(world.members)) if (ends !== undefined) release(name);
  for (const [index, step] of steps.entries()) {
    if (step.at !== undefined) now = instant(Math.max(now, time(step.at)));
    for (const [place, act] of (step.do ?? []).entries()) {
      const loser = act.delete_member ?? act.delete_pin ?? act.delete_card ?? act.edit_member?.who;
      if (loser !== undefined) release(loser);
      if (!mayBeRejected(step)) checkAct(act, `steps.${index}.do.${place}`);
    }
  }
};
