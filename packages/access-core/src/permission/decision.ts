import type { PermissionReason } from '../access-model.ts';
import type { GroupAssociationId, MemberGroupId } from '../ids.ts';

/** The granting rule: the index of a rule of the group, then, through inheritance, of a rule of each next group. */
export interface GrantingRule {
  readonly member_group_id: MemberGroupId;
  readonly path: readonly number[];
}

export interface Grant {
  readonly outcome: 'grant';
  readonly association_id: GroupAssociationId;
  readonly rule: GrantingRule;
}

export interface Denial {
  readonly outcome: 'deny';
  readonly reason: PermissionReason;
}

/** Nothing to decide: a missing or deleted gadget or site, an unknown action, or an unknown member. */
export interface NotFound {
  readonly outcome: 'not_found';
  readonly missing: 'gadget' | 'action' | 'member';
}

export type PermissionDecision = Grant | Denial | NotFound;

/** How a profile treats permissions with a time limit while the time is untrusted. */
export type UntrustedTimePolicy = 'refuse' | 'use_clock';

const denial = (reason: PermissionReason): Denial => Object.freeze({ outcome: 'deny', reason });
const notFoundOf = (missing: NotFound['missing']): NotFound => Object.freeze({ outcome: 'not_found', missing });

/** Created once, so that a denial allocates nothing. */
export const denials = {
  member_deleted: denial('member_deleted'),
  member_not_started: denial('member_not_started'),
  member_ended: denial('member_ended'),
  no_group: denial('no_group'),
  no_matching_rule: denial('no_matching_rule'),
  method_not_allowed: denial('method_not_allowed'),
  out_of_schedule: denial('out_of_schedule'),
  not_present: denial('not_present'),
  time_untrusted: denial('time_untrusted'),
} as const satisfies Record<PermissionReason, Denial>;

export const notFound = {
  gadget: notFoundOf('gadget'),
  action: notFoundOf('action'),
  member: notFoundOf('member'),
} as const;
