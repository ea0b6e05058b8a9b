import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScheduleId } from '../ids.ts';
import { instant } from '../instant.ts';
import { decidePermission } from './decide.ts';
import { type PermissionDecisionExplanation, explainPermissionDecision } from './explain-decision.ts';
import * as given from './sample-hotel.test-support.ts';
import {
  arbitraryUntrustedTimePolicy,
  arbitraryAccessRequest,
  arbitraryAccessData,
} from './random-access-data.test-support.ts';
import { createAccessDataSource } from './access-data-source.test-support.ts';
import { iterations } from '@lintel/test/support/test-iterations-and-seed';

type Rule = Extract<PermissionDecisionExplanation['steps'][number], { about: 'rule' }>;
const filters = ['target', 'method', 'schedule', 'presence'] as const;
const reasons = ['no_matching_rule', 'method_not_allowed', 'out_of_schedule', 'not_present'] as const;

/** Derives the decision again from the steps alone. */
const concluded = ({ steps }: PermissionDecisionExplanation): unknown => {
  const member = steps.find(({ about }) => about === 'member');
  if (member?.about !== 'member') return null;
  if (member.finding === 'deleted') return 'member_deleted';
  if (member.finding === 'not_started' || member.finding === 'ended') return `member_${member.finding}`;
  const associations = steps.filter(step => step.about === 'association');
  if (!associations.some(({ finding }) => finding === 'inside' || finding === 'unknown')) return 'no_group';
  let left: Rule[] = steps.filter(step => step.about === 'rule');
  for (const [index, filter] of filters.entries()) {
    left = left.filter(({ results }) => results[filter] !== 'fail');
    if (left.length === 0) return reasons[index];
  }
  const sure = new Set(associations.filter(({ finding }) => finding === 'inside').map(step => step.association_id));
  const granting = left.filter(
    ({ association_id, results }) => sure.has(association_id) && filters.every(filter => results[filter] === 'pass'),
  );
  return member.finding === 'inside' && granting.length > 0 ? 'grant' : 'time_untrusted';
};

describe('explainPermissionDecision', () => {
  it('decides like decide, and its steps lead to that decision', () => {
    // Random data repeats association ids; here they have to be distinct.
    const distinct = arbitraryAccessData.map(world => ({
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
      fc.property(distinct, arbitraryAccessRequest, arbitraryUntrustedTimePolicy, (world, request, policy) => {
        const explanation = explainPermissionDecision(createAccessDataSource(world), request, policy);
        const { decision } = explanation;
        expect(decision).toEqual(decidePermission(createAccessDataSource(world), request, policy));
        if (decision.outcome === 'not_found' || !explanation.complete) return;
        expect(concluded(explanation)).toBe(decision.outcome === 'grant' ? 'grant' : decision.reason);
      }),
      { numRuns: iterations({ sample: 100, all: 1_000 }) },
    );
  });

  it('states in a sentence what each rule lacks', () => {
    const world = given.createSampleHotel({
      member_groups: [
        given.createSampleMemberGroup([
          { schedule_id: 'sch_gone' as ScheduleId },
          { gadget_id: given.SAMPLE_GADGET_ID, action_id: 'close' },
          { access_methods: { card: true } },
          { schedule_id: given.SAMPLE_SCHEDULE_ID },
        ]),
      ],
    });
    const { text, steps } = explainPermissionDecision(
      createAccessDataSource(world),
      given.createSampleAccessRequest({ now: given.parseSampleTime('2026-06-03T22:00:00Z') }),
    );
    expect([text, ...steps.map(step => step.text)]).toEqual([
      'The rules for this action do not apply at this time.',
      'The member is valid.',
      'The member is in this group now.',
      'Rule 1 refers to a deleted object.',
      'Rule 2 is for another gadget or action.',
      'Rule 3 does not allow this access method.',
      'Rule 4 does not apply at this time.',
    ]);
  });

  it('names the time limits when the time is untrusted', () => {
    const world = given.createSampleHotel({
      member_groups: [given.createSampleMemberGroup([{ schedule_id: given.SAMPLE_SCHEDULE_ID }])],
      members: [given.createSampleMember({ ends_at: instant(0) })],
    });
    const { decision, steps } = explainPermissionDecision(
      createAccessDataSource(world),
      given.createSampleAccessRequest({ time_trusted: false }),
    );
    expect(decision).toEqual({ outcome: 'deny', reason: 'time_untrusted' });
    expect(steps.map(step => step.text)).toEqual([
      'The validity of the member is limited, and the time is untrusted.',
      'The member is in this group now.',
      'Rule 1 has a schedule, but the clock is not trusted.',
    ]);
  });

  it('has no steps for missing objects', () => {
    expect(
      explainPermissionDecision(
        createAccessDataSource(given.createSampleHotel({ gadgets: [] })),
        given.createSampleAccessRequest(),
      ),
    ).toEqual({
      decision: { outcome: 'not_found', missing: 'gadget' },
      text: 'The gadget does not exist.',
      steps: [],
      complete: true,
    });
  });
});
