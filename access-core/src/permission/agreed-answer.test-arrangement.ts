import { expect } from 'vitest';
import { AccessIndex } from '../access-index/access-index.ts';
import type { AccessRequest, PermissionRule } from '../access-model.ts';
import { decide } from './decide.ts';
import type { Decision, UntrustedTimePolicy } from './decision.ts';
import * as given from './hotel.test-arrangement.ts';
import { naiveDecide, type NaiveWorld } from './naive-decide.test-oracle.ts';
import { worldOf } from './world-of.test-arrangement.ts';

export const answerOf = (decision: Decision): string => {
  if (decision.outcome === 'deny') return decision.reason;
  return decision.outcome === 'not_found' ? `no such ${decision.missing}` : 'grant';
};

/** What all three say: the plain calculation, the index and the oracle. */
export const answer = (world: NaiveWorld, request: AccessRequest, policy: UntrustedTimePolicy = 'refuse'): string => {
  const decision = decide(worldOf(world), request, policy);
  expect(new AccessIndex(world).decide(request, policy)).toEqual(decision);
  expect(naiveDecide(world, request, policy)).toEqual(decision);
  return answerOf(decision);
};

export const withRules = (...rules: PermissionRule[]): NaiveWorld =>
  given.hotel({ member_groups: [given.group(rules)] });
