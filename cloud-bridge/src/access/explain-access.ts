import type { PermissionDenialReason } from '@lintel/access-core/access-data-types';
import {
  type PermissionDecisionExplanation,
  explainPermissionDecision,
} from '@lintel/access-core/permission/explain-decision';
import type { AccessDataSource } from '@lintel/access-core/permission/access-data-source-interface';
import type {
  AccessExplanationRequest,
  AccessExplanationResponse,
} from '@lintel/wire-protocol/admin/access-explanation';
import { toDateTime, toInstant } from '@lintel/wire-protocol/schema-parts/date-time';
import { createInvalidFieldError, createUnknownReferenceError } from '../http/api-error.ts';
import { findRow, requireReferencedRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { loadMemberAccessDataForGadget } from './load-member-access-data.ts';

type ExplanationStep = PermissionDecisionExplanation['steps'][number];
type ResponseStep = AccessExplanationResponse['steps'][number];
type RuleLink = ResponseStep['rule'][number];

/** The rules along the path, from the rule of the group to the inherited one. */
const ruleLinksOf = (data: AccessDataSource, groupId: string, path: readonly number[]): RuleLink[] => {
  const links: RuleLink[] = [];
  let current: string | null | undefined = groupId;
  for (const index of path) {
    const id = current as RuleLink['member_group_id'];
    const rule = data.memberGroup(id)?.permissions[index];
    if (rule === undefined) return links;
    links.push({
      member_group_id: id,
      index,
      site_id: rule.site_id ?? null,
      gadget_id: rule.gadget_id ?? null,
      action_id: rule.action_id ?? null,
      schedule_id: rule.schedule_id ?? null,
    });
    current = rule.member_group_id;
  }
  return links;
};

const filterNames = ['target', 'method', 'schedule', 'presence'] as const;

const toResponseStep = (data: AccessDataSource, step: ExplanationStep): ResponseStep => {
  const { about, text } = step;
  const common = { about, text, finding: null, rule: [], failed_filter: null, member_group_id: null };
  switch (step.about) {
    case 'member':
      return {
        ...common,
        passed: step.finding === 'inside',
        finding: step.finding,
        member_group_association_id: null,
      };
    case 'association': {
      const { finding, association_id, member_group_id } = step;
      const passed = finding === 'inside';
      return { ...common, passed, finding, member_group_association_id: association_id, member_group_id };
    }
    case 'dropped_rule': {
      const { association_id, member_group_id, index } = step;
      const rule = ruleLinksOf(data, member_group_id, [index]);
      return { ...common, passed: false, member_group_association_id: association_id, member_group_id, rule };
    }
    case 'rule': {
      const { association_id, rule, results } = step;
      const { member_group_id, path } = rule;
      return {
        ...common,
        passed: filterNames.every(name => results[name] === 'pass'),
        member_group_association_id: association_id,
        member_group_id,
        rule: ruleLinksOf(data, member_group_id, path),
        failed_filter: filterNames.find(name => results[name] === 'fail') ?? null,
      };
    }
  }
};

/** Explains what a door would decide. Operates no hardware. */
export const explainAccess = async (
  context: Pick<WriteContext, 'db' | 'engine' | 'organizationId' | 'now'>,
  request: AccessExplanationRequest,
): Promise<AccessExplanationResponse & { readonly reason: PermissionDenialReason | null }> => {
  const { member_id, gadget_id, action_id, access_method, location = null } = request;
  const { db, engine, organizationId } = context;
  const member = await findRow(context, 'members', member_id);
  if (member === undefined) throw createUnknownReferenceError('member_id', member_id);
  const gadget = await requireReferencedRow(context, 'gadgets', 'gadget_id', gadget_id);
  const data = await loadMemberAccessDataForGadget({ db, engine, organizationId }, member, gadget);
  const now = request.at == null ? context.now : toInstant(request.at);
  const { decision, text, steps, complete } = explainPermissionDecision(data, {
    member_id,
    gadget_id,
    action_id,
    access_method,
    now,
    time_trusted: true,
    location,
  });
  if (decision.outcome === 'not_found') {
    const field = `${decision.missing}_id`;
    throw createInvalidFieldError(field, text);
  }
  const reason = decision.outcome === 'deny' ? decision.reason : null;
  return {
    member_id,
    gadget_id,
    action_id,
    access_method,
    at: toDateTime(now),
    is_granted: reason === null,
    reason,
    text,
    steps: steps.map(step => toResponseStep(data, step)),
    is_complete: complete,
  };
};

/** Also logs that the caller has looked. */
export const explainAndLogAccess = async (
  context: WriteContext,
  request: AccessExplanationRequest,
): Promise<AccessExplanationResponse> => {
  const response = await explainAccess(context, request);
  const { member_id, gadget_id, action_id, reason } = response;
  context.log({
    verb: 'check',
    object: { type: 'member', member_id, gadget_id, gadget_action_id: action_id },
    ...(reason === null ? {} : { reason }),
  });
  return response;
};
