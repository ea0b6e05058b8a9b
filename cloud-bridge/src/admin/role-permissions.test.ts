import { roles } from '@lintel/wire-protocol/admin/role';
import { expect, it } from 'vitest';
import { allows, isBoundToSites, permissions, roleOfScopes } from './role-permissions.ts';

const granted = (role: (typeof roles)[number]) => permissions.filter(permission => allows(role, permission));

it('lets owners and administrators do everything', () => {
  expect(granted('owner')).toEqual([...permissions]);
  expect(granted('administrator')).toEqual([...permissions]);
});

it('lets a viewer read everything and write nothing', () => {
  expect(granted('viewer').every(permission => permission.endsWith('.read'))).toBe(true);
  expect(granted('viewer')).toHaveLength(permissions.filter(permission => permission.endsWith('.read')).length);
});

it('lets a technician write devices, their input rules and claim tickets, and see neither users nor applications', () => {
  expect(granted('technician').filter(permission => !permission.endsWith('.read'))).toEqual([
    'devices.edit',
    'input_rules.write',
    'claim_tickets.write',
  ]);
  expect(granted('technician').filter(permission => /^(users|applications)\./.test(permission))).toEqual([]);
});

it('binds technicians to their sites, and nobody else', () => {
  expect(roles.filter(isBoundToSites)).toEqual(['technician']);
});

it('takes a token for what its scope allows, and one without a scope for nobody', () => {
  expect(roleOfScopes(new Set(['full_read_write', 'offline']))).toBe('administrator');
  expect(roleOfScopes(new Set(['full_read_only', 'offline']))).toBe('viewer');
  expect(roleOfScopes(new Set(['offline']))).toBeNull();
});
