import { adminPermissions } from '@lintel/wire-protocol/permissions/admin-permissions';
import { roles } from '@lintel/wire-protocol/admin/role';
import { describe, expect, it } from 'vitest';
import { findRoleForScopes, hasPermission, isLimitedToSites, listPermissions, roleAllows } from './role-permissions.ts';
import { captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { createVerifiedUser } from './users.ts';

const granted = (role: (typeof roles)[number]) => adminPermissions.filter(permission => roleAllows(role, permission));

describe('roleAllows', () => {
  it('permits owners and administrators everything', () => {
    expect(granted('owner')).toEqual([...adminPermissions]);
    expect(granted('administrator')).toEqual([...adminPermissions]);
  });

  it('permits a viewer to read everything and to write nothing', () => {
    expect(granted('viewer').every(permission => permission.endsWith('.read'))).toBe(true);
    expect(granted('viewer')).toHaveLength(adminPermissions.filter(permission => permission.endsWith('.read')).length);
  });

  it('permits the front desk to manage members, credentials and cards, and to open doors', () => {
    expect(granted('front_desk').filter(permission => !permission.endsWith('.read'))).toEqual([
      'gadgets.execute',
      'members.write',
      'credentials.reveal',
      'cards.write',
    ]);
    expect(granted('front_desk').filter(permission => /^(users|applications|updates)\./.test(permission))).toEqual([]);
  });

  it('permits a technician to write devices, input rules and claim tickets, but not to see people', () => {
    expect(granted('technician').filter(permission => !permission.endsWith('.read'))).toEqual([
      'devices.edit',
      'input_rules.write',
      'claim_tickets.write',
      'technician_passes.write',
    ]);
    expect(
      granted('technician').filter(permission => /^(users|applications|members|events)\./.test(permission)),
    ).toEqual([]);
  });
});

describe('hasPermission', () => {
  const closed = [
    'users.write',
    'applications.write',
    'claim_tickets.write',
    'devices.confirm',
    'technician_passes.write',
    'updates.write',
    'devices.confirm',
  ] as const;

  it('permits an application what its role permits, except rights over identity and trust', () => {
    const application = { role: 'administrator', isApplication: true } as const;
    const person = { role: 'administrator', isApplication: false } as const;
    expect(closed.map(permission => hasPermission(application, permission))).toEqual(closed.map(() => false));
    expect(closed.map(permission => hasPermission(person, permission))).toEqual(closed.map(() => true));
    expect(listPermissions(application)).toEqual(
      adminPermissions.filter(permission => !(closed as readonly string[]).includes(permission)),
    );
    expect(listPermissions({ role: null, isApplication: false })).toEqual([]);
  });
});

describe('isLimitedToSites', () => {
  it('is true for technicians only', () => {
    expect(roles.filter(isLimitedToSites)).toEqual(['technician']);
  });
});

describe('findRoleForScopes', () => {
  it('returns the role that a scope stands for, and null without one', () => {
    expect(findRoleForScopes(new Set(['full_read_write', 'offline']))).toBe('administrator');
    expect(findRoleForScopes(new Set(['full_read_only', 'offline']))).toBe('viewer');
    expect(findRoleForScopes(new Set(['offline']))).toBeNull();
  });
});

describe('createVerifiedUser', () => {
  const test = useTestOrganization();

  const create = (email: string) => {
    const { storage, newId, clock } = test.database.services;
    return createVerifiedUser(storage.writer, { email, password: 'pw' }, { newId, now: clock() });
  };

  it('stores passwords as argon2id, with one account per e-mail address', async () => {
    const row = await create(' Jo@Example.Test');
    expect(row).toMatchObject({ email: 'jo@example.test', name: '' });
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await captureApiError(create('jo@example.test'))).toBe('invalid_request: email');
  });

  it.each(['', 'jo', 'a b@c', '@', `${'x'.repeat(300)}@y`])('rejects the address %j', async email => {
    expect(await captureApiError(create(email))).toBe('invalid_request: email');
  });
});
