import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScheduleId } from '../ids.ts';
import { instant } from '../instant.ts';
import { decide } from './decide.ts';
import { type Explanation, explain } from './explain.ts';
import * as given from './sample-hotel.test-support.ts';
import { policies, requests, worlds } from './random-access-data.test-support.ts';
import { accessWorldOf } from './access-world.test-support.ts';
import { iterations } from '@lintel/test/support/test-budget';

type Rule = Extract<Explanation['steps'][number], { about: 'rule' }>;
const filters = ['target', 'method', 'schedule', 'presence'] as const;
const reasons = ['no_matching_rule', 'method_not_allowed', 'out_of_schedule', 'not_present'] as const;

/** Derives the decision again from the steps alone. */
const concluded = ({ steps }: Explanation): unknown => {
  const member = steps.find(({ about }) => about === 'member');
  if (member?.about !== 'member') return null;
  if (member.finding === 'deleted') return 'member_deleted';
  if (member.finding === 'not_started' || member.finding === 'ended') return `member_${member.finding}`;
  const associations = steps.filter(step => step.about === 'association');
  if (!associations.some(({ finding }) => finding === 'inside' || finding === 'unknown')) return 'no_group';
  let left: Rule[] = steps.filter(step => step.about === 'rule');
  for (const [index, filter] of filters.entries()) {
    left = left.filter(({ verdicts }) => verdicts[filter] !== 'fail');
    if (left.length === 0) return reasons[index];
  }
  const sure = new Set(associations.filter(({ finding }) => finding === 'inside').map(step => step.association_id));
  const granting = left.filter(
    ({ association_id, verdicts }) => sure.has(association_id) && filters.every(filter => verdicts[filter] === 'pass'),
  );
  return member.finding === 'inside' && granting.length > 0 ? 'grant' : 'time_untrusted';
};

describe('explain', () => {
  it('decides like decide, and its steps lead to that decision', () => {
    // Random data repeats association ids; here they have to be distinct.
    const distinct = worlds.map(world => ({
      ...world,
      members: world.members.map(member => ({
        ...member,
        group_associations: member.group_associations.map((one, index) => ({
          ...one,
          id: `${one.id}${index}` as typeof one.id,
        })),
      })),
    }));
    fc.assert(
      fc.property(distinct, requests, policies, (world, request, policy) => {
        const explanation = explain(accessWorldOf(world), request, policy);
        const { decision } = explanation;
        expect(decision).toEqual(decide(accessWorldOf(world), request, policy));
        if (decision.outcome === 'not_found' || !explanation.complete) return;
        expect(concluded(explanation)).toBe(decision.outcome === 'grant' ? 'grant' : decision.reason);
      }),
      { numRuns: iterations({ sample: 100, all: 1_000 }) },
    );
  });

  it('states in a sentence what each rule lacks', () => {
    const world = given.hotel({
      member_groups: [
        given.group([
          { schedule_id: 'sch_gone' as ScheduleId },
          { gadget_id: given.gadgetId, action_id: 'close' },
          { access_methods: { card: true } },
          { schedule_id: given.scheduleId },
        ]),
      ],
    });
    const { text, steps } = explain(accessWorldOf(world), given.request({ now: given.at('2026-06-03T22:00:00Z') }));
    expect([text, ...steps.map(step => step.text)]).toEqual([
      'The rules about this action do not apply at this time of the week.',
      'The member is valid.',
      'The member belongs to this group now.',
      'Rule 1 refers to something that has been deleted.',
      'Rule 2 is about something else.',
      'Rule 3 does not allow this way of access.',
      'Rule 4 does not apply at this time of the week.',
    ]);
  });

  it('names the time limits when the time is untrusted', () => {
    const world = given.hotel({
      member_groups: [given.group([{ schedule_id: given.scheduleId }])],
      members: [given.member({ ends_at: instant(0) })],
    });
    const { decision, steps } = explain(accessWorldOf(world), given.request({ time_trusted: false }));
    expect(decision).toEqual({ outcome: 'deny', reason: 'time_untrusted' });
    expect(steps.map(step => step.text)).toEqual([
      'The member has dates, and the time is not certain.',
      'The member belongs to this group now.',
      'Rule 1 has a schedule, and the time is not certain.',
    ]);
  });

  it('has no steps for missing objects', () => {
    expect(explain(accessWorldOf(given.hotel({ gadgets: [] })), given.request())).toEqual({
      decision: { outcome: 'not_found', missing: 'gadget' },
      text: 'There is no such gadget.',
      steps: [],
      complete: true,
    });
  });
});
