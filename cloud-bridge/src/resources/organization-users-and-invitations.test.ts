import {
  createOrganizationUserRequestSchema,
  editOrganizationUserRequestSchema,
} from '@lintel/wire-protocol/admin/organization-user';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { beforeEach, describe, expect, it } from 'vitest';
import { parseTestBody, captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { hashToken } from '../secrets/create-and-hash-token.ts';
import { editOrganizationUser, removeOrganizationUser } from './organization-users.ts';
import { inviteOrganizationUser } from './user-invitations.ts';

const test = useTestOrganization();

const newAccount = async (change: { readonly is_deleted?: 0 | 1 } = {}) => {
  const id = test.database.services.newId('user');
  const email = `${id}@example.com`;
  await test.database.insert('users', {
    id,
    email,
    name: '',
    password_hash: 'none',
    is_deleted: 0,
    created_at: 0,
    verified_at: 0,
    ...change,
  });
  return { id, email };
};
const assign = async (userId: string, role: Role) => {
  await test.database.insert('organization_users', {
    organization_id: test.organization.id,
    user_id: userId,
    role,
    site_ids: '[]',
  });
  return userId;
};
const invite = (acting: Role, given: object) =>
  test.organization.write(context =>
    inviteOrganizationUser(context, acting, parseTestBody(createOrganizationUserRequestSchema, given)),
  );
const add = async (acting: Role, given: object) => (await invite(acting, given)).user;
const edit = (acting: Role, id: string, given: object) =>
  test.organization.write(context =>
    editOrganizationUser(context, acting, id, parseTestBody(editOrganizationUserRequestSchema, given)),
  );
const remove = (acting: Role, id: string) =>
  test.organization.write(context => removeOrganizationUser(context, acting, id));

let owner: string;
beforeEach(async () => {
  owner = await assign((await newAccount()).id, 'owner');
});

describe('inviteOrganizationUser', () => {
  it('reserves a new user id for an existing account and for a new address', async () => {
    const { id, email } = await newAccount();
    const known = await add('administrator', { email, role: 'viewer' });
    expect(known).toMatchObject({ email, role: 'viewer', name: '', verified_at: null });
    expect(known.user_id).not.toBe(id);
    expect(await add('owner', { email: 'new@example.com', role: 'viewer' })).toMatchObject({ verified_at: null });
  });

  it('rejects a password', async () => {
    const password = 'correct horse battery';
    await expect(async () => add('owner', { email: 'a@b', role: 'viewer', password })).rejects.toMatchObject({
      args: { field: 'password' },
    });
  });

  it('rejects a person who already belongs to the organization or is invited', async () => {
    const { id, email } = await newAccount();
    await assign(id, 'viewer');
    expect(await captureApiError(add('owner', { email, role: 'administrator' }))).toBe('invalid_request: email');
    await add('owner', { email: 'b@example.com', role: 'viewer' });
    expect(await captureApiError(add('owner', { email: 'B@example.com', role: 'viewer' }))).toBe(
      'invalid_request: email',
    );
  });

  it('lets only an owner invite an owner', async () => {
    const { email } = await newAccount();
    expect(await captureApiError(add('administrator', { email, role: 'owner' }))).toBe('forbidden');
    expect((await add('owner', { email, role: 'owner' })).role).toBe('owner');
  });

  it('binds technicians to existing sites, and rejects sites for other roles', async () => {
    const site = await test.organization.site();
    const { email } = await newAccount();
    const given = { email, role: 'technician', site_ids: [site.id] };
    expect(await captureApiError(add('owner', { ...given, role: 'viewer' }))).toBe('invalid_request: site_ids');
    expect(await captureApiError(add('owner', { ...given, site_ids: [site.id, 'site_unknown'] }))).toBe(
      'invalid_request: site_ids.1',
    );
    expect((await add('owner', given)).site_ids).toBe(JSON.stringify([site.id]));
  });

  it('stores only the hash of the token', async () => {
    const { token } = await invite('owner', { email: 'c@example.com', role: 'viewer' });
    const rows = await test.database.services.storage.reader.selectFrom('user_invitations').selectAll().execute();
    expect(rows.some(({ token_hash }) => token_hash === hashToken(token))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('editOrganizationUser', () => {
  it('rejects a change by an administrator from or to owner', async () => {
    const viewer = await assign((await newAccount()).id, 'viewer');
    expect(await captureApiError(edit('administrator', owner, { role: 'viewer' }))).toBe('forbidden');
    expect(await captureApiError(edit('administrator', viewer, { role: 'owner' }))).toBe('forbidden');
    expect((await edit('administrator', viewer, { role: 'administrator' })).role).toBe('administrator');
  });

  it('keeps at least one owner whose account is not deleted', async () => {
    await assign((await newAccount({ is_deleted: 1 })).id, 'owner');
    expect(await captureApiError(edit('owner', owner, { role: 'viewer' }))).toBe('invalid_request: role');
    await assign((await newAccount()).id, 'owner');
    expect((await edit('owner', owner, { role: 'viewer' })).role).toBe('viewer');
  });

  it('drops the sites when a technician gets another role, and keeps them otherwise', async () => {
    const site = await test.organization.site();
    const technician = await assign((await newAccount()).id, 'technician');
    await edit('owner', technician, { site_ids: [site.id] });
    expect((await edit('owner', technician, { role: 'technician' })).site_ids).toBe(JSON.stringify([site.id]));
    expect((await edit('owner', technician, { role: 'viewer' })).site_ids).toBe('[]');
  });

  it('records nothing when nothing differs', async () => {
    const viewer = await assign((await newAccount()).id, 'viewer');
    expect(await test.organization.eventsOf(() => edit('owner', viewer, { role: 'viewer' }))).toEqual([]);
    expect(await test.organization.eventsOf(() => edit('owner', viewer, { role: 'administrator' }))).toEqual([
      'edit user',
    ]);
  });

  it('does not find a user of another organization', async () => {
    expect(await captureApiError(edit('owner', (await newAccount()).id, { role: 'viewer' }))).toBe('not_found');
  });
});

describe('removeOrganizationUser', () => {
  it('keeps the last owner', async () => {
    expect(await captureApiError(remove('owner', owner))).toBe('invalid_request: user_id');
  });

  it('lets only an owner remove an owner', async () => {
    const second = await assign((await newAccount()).id, 'owner');
    expect(await captureApiError(remove('administrator', second))).toBe('forbidden');
    await remove('owner', second);
    expect(await captureApiError(remove('owner', second))).toBe('not_found');
  });
});
