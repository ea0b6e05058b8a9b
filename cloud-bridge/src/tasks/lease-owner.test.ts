import { describe, expect, it } from 'vitest';
import { createLeaseOwnerId, hasLeaseOwnerEnded } from './lease-owner.ts';

describe('hasLeaseOwnerEnded', () => {
  it('is false for this process and for processes of other machines', () => {
    const owner = createLeaseOwnerId();
    expect(hasLeaseOwnerEnded(owner)).toBe(false);
    expect(hasLeaseOwnerEnded(`another-machine/${2 ** 22 + 1}/x`)).toBe(false);
  });

  it('is true for a process of this machine that has ended', () => {
    const [host] = createLeaseOwnerId().split('/');
    expect(hasLeaseOwnerEnded(`${host}/${2 ** 22 + 1}/x`)).toBe(true);
  });
});
