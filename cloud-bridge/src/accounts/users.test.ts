import { describe, expect, it } from 'vitest';
import { captureApiError, useTestOrganization } from '../test-organization.test-support.ts';
import { createVerifiedUser } from './users.ts';

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
