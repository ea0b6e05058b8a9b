import type { PermissionDenialReason } from '../access-data-types.ts';
import type { GroupAssociationId, MemberGroupId } from '../ids.ts';

/** The granting rule: the index of a rule of the group, then, through inheritance, of a rule of each next group. */
export interface PermissionRulePath {
  readonly member_group_id: MemberGroupId;
  readonly path: readonly number[];
}

export interface GrantDecision {
  readonly outcome: 'grant';
  readonly association_id: GroupAssociationId;
  readonly rule: PermissionRulePath;
}

export interface DenialDecision {
  readonly outcome: 'deny';
  readonly reason: PermissionDenialReason;
}

/** Nothing to decide: a missing or deleted gadget or site, an unknown action, or an unknown member. */
export interface NotFoundDecision {
  readonly outcome: 'not_found';
  readonly missing: 'gadget' | 'action' | 'member';
}

export type PermissionDecision = GrantDecision | DenialDecision | NotFoundDecision;

/** How a profile treats permissions with a time limit while the time is untrusted. */
export type UntrustedTimePolicy = 'refuse' | 'use_clock';

const createDenial = (reason: PermissionDenialReason): DenialDecision => Object.freeze({ outcome: 'deny', reason });
const createNotFound = (missing: NotFoundDecision['missing']): NotFoundDecision =>
  Object.freeze({ outcome: 'not_found', missing });

/** Created once, so that a denial allocates nothing. */
export const denialDecisionByReason = {
  member_deleted: createDenial('member_deleted'),
  member_not_started: createDenial('member_not_started'),
  member_ended: createDenial('member_ended'),
  no_group: createDenial('no_group'),
  no_matching_rule: createDenial('no_matching_rule'),
  method_not_allowed: createDenial('method_not_allowed'),
  out_of_schedule: createDenial('out_of_schedule'),
  not_present: createDenial('not_present'),
  time_untrusted: createDenial('time_untrusted'),
} as const satisfies Record<PermissionDenialReason, DenialDecision>;

export const notFoundDecisions = {
  gadget: createNotFound('gadget'),
  action: createNotFound('action'),
  member: createNotFound('member'),
} as const;
