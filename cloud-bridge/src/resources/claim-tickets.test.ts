import { expect, it } from 'vitest';
import type { ClaimTicketRow } from '../storage/organization-key-and-claim-ticket-schema.ts';
import { computeClaimTicketStatus } from './claim-tickets.ts';

const row = { expires_at: 100, redeemed_at: null, revoked_at: null } as ClaimTicketRow;

it.each<[string, Partial<ClaimTicketRow>, number]>([
  ['open', {}, 99],
  ['expired', {}, 100],
  ['revoked', { revoked_at: 50 }, 200],
  ['redeemed', { redeemed_at: 50 }, 200],
  ['redeemed', { redeemed_at: 50, revoked_at: 60 }, 60],
])('a ticket is %s for %j at %i', (status, change, now) => {
  expect(computeClaimTicketStatus({ ...row, ...change }, now)).toBe(status);
});
