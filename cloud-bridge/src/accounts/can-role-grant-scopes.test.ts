import { describe, expect, it } from 'vitest';
import { canGrantScopes } from './can-role-grant-scopes.ts';

describe('canGrantScopes', () => {
  it.each([
    ['owner', ['full_read_write'], true],
    ['administrator', ['full_read_write', 'offline'], true],
    ['viewer', ['full_read_only', 'offline'], true],
    ['viewer', ['full_read_only', 'full_read_write'], false],
    ['technician', ['full_read_only'], false],
  ] as const)('for a %s and %j is %s', (role, scopes, expected) => {
    expect(canGrantScopes(role, scopes)).toBe(expected);
  });
});
