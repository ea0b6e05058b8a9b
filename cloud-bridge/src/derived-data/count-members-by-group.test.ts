import { expect, it } from 'vitest';
import { useTestOrganization } from '../test-organization.test-support.ts';
import { MemberGroupSizes } from './count-members-by-group.ts';

const test = useTestOrganization();

it('counts once for concurrent requests, and again after a change of the organization', async () => {
  const { storage } = test.database.services;
  const { id } = test.organization;
  const sizes = new MemberGroupSizes(storage.reader);
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => sizes.of(id)));
  expect(others.every(result => result === first)).toBe(true);
  expect(await sizes.of(id)).toBe(first);
  await storage.writer
    .updateTable('organizations')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute();
  expect(await sizes.of(id)).not.toBe(first);
});
