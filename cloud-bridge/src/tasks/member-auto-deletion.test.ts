import { DAY_MS } from '@lintel/access-core/durations';
import { instant } from '@lintel/access-core/instant';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEndedMemberDueForDeletion } from './member-auto-deletion.ts';

const activeMember = { is_deleted: 0, expired_for: null } as const;

describe('isEndedMemberDueForDeletion', () => {
  it('is true from one day after ends_at', () => {
    expect(isEndedMemberDueForDeletion({ ...activeMember, ends_at: 1000 }, instant(1000 + DAY_MS - 1))).toBe(false);
    expect(isEndedMemberDueForDeletion({ ...activeMember, ends_at: 1000 }, instant(1000 + DAY_MS))).toBe(true);
  });

  it('is false without ends_at, for a deleted member, and for an ends_at that was already processed', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (ends_at, later) => {
        const now = instant(ends_at + DAY_MS + later);
        expect(isEndedMemberDueForDeletion({ ...activeMember, ends_at: null }, now)).toBe(false);
        expect(isEndedMemberDueForDeletion({ ...activeMember, ends_at, is_deleted: 1 }, now)).toBe(false);
        expect(isEndedMemberDueForDeletion({ ...activeMember, ends_at, expired_for: ends_at }, now)).toBe(false);
        expect(isEndedMemberDueForDeletion({ ...activeMember, ends_at, expired_for: ends_at - 1 }, now)).toBe(true);
      }),
    );
  });
});
