import { expect } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { AccessRequest, PermissionRule } from '../access-data-types.ts';
import { decidePermission } from './decide.ts';
import type { PermissionDecision, UntrustedTimePolicy } from './decision-types.ts';
import * as given from './sample-hotel.test-support.ts';
import { decideByReference, type AccessData } from './reference-decide.test-support.ts';
import { createAccessDataSource } from './access-data-source.test-support.ts';

export const summarizeDecision = (decision: PermissionDecision): string => {
  if (decision.outcome === 'deny') return decision.reason;
  return decision.outcome === 'not_found' ? `no such ${decision.missing}` : 'grant';
};

/** The decision, after checking that the calculation, the index and the reference implementation agree. */
export const decideAndCompareImplementations = (
  world: AccessData,
  request: AccessRequest,
  policy: UntrustedTimePolicy = 'refuse',
): string => {
  const decision = decidePermission(createAccessDataSource(world), request, policy);
  expect(new AccessIndex(world).decide(request, policy)).toEqual(decision);
  expect(decideByReference(world, request, policy)).toEqual(decision);
  return summarizeDecision(decision);
};

export const createHotelWithPermissionRules = (...rules: PermissionRule[]): AccessData =>
  given.createSampleHotel({ member_groups: [given.createSampleMemberGroup(rules)] });
