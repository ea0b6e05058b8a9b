import { roles } from '@lintel/wire-protocol/admin/role';
import { describe, expect, it } from 'vitest';
import { allows, isBoundToSites, permissions, roleOfScopes } from './role-permissions.ts';

const granted = (role: (typeof roles)[number]) => permissions.filter(permission => allows(role, permission));

describe('allows', () => {
  it('permits owners and administrators everything', () => {
    expect(granted('owner')).toEqual([...permissions]);
    expect(granted('administrator')).toEqual([...permissions]);
  });

  it('permits a viewer to read everything and to write nothing', () => {
    expect(granted('viewer').every(permission => permission.endsWith('.read'))).toBe(true);
    expect(granted('viewer')).toHaveLength(permissions.filter(permission => permission.endsWith('.read')).length);
  });

  it('permits a technician to write devices, input rules and claim tickets, but not to see users or applications', () => {
    expect(granted('technician').filter(permission => !permission.endsWith('.read'))).toEqual([
      'devices.edit',
      'input_rules.write',
      'claim_tickets.write',
    ]);
    expect(granted('technician').filter(permission => /^(users|applications)\./.test(permission))).toEqual([]);
  });
});

describe('isBoundToSites', () => {
  it('is true for technicians only', () => {
    expect(roles.filter(isBoundToSites)).toEqual(['technician']);
  });
});

describe('roleOfScopes', () => {
  it('returns the role that a scope stands for, and null without one', () => {
    expect(roleOfScopes(new Set(['full_read_write', 'offline']))).toBe('administrator');
    expect(roleOfScopes(new Set(['full_read_only', 'offline']))).toBe('viewer');
    expect(roleOfScopes(new Set(['offline']))).toBeNull();
  });
});
