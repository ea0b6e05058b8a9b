import { describe, expect, it } from 'vitest';
import { computeMemberStatus } from './member-status.ts';

const now = Date.parse('2026-06-01T10:00:00Z');
const status = (starts_at: string | null, ends_at: string | null, is_deleted = false) =>
  computeMemberStatus({ starts_at, ends_at, is_deleted }, now);

describe('computeMemberStatus', () => {
  it('includes the start and excludes the end', () => {
    expect(status(null, null)).toBe('active');
    expect(status('2026-06-01T10:00:00Z', null)).toBe('active');
    expect(status('2026-06-01T10:00:01Z', null)).toBe('upcoming');
    expect(status(null, '2026-06-01T10:00:00Z')).toBe('ended');
    expect(status(null, null, true)).toBe('deleted');
  });
});
