import { createMemberRequestSchema } from '@lintel/wire-protocol/rest/member';
import { describe, expect, it } from 'vitest';
import { createMember } from '../../resources/members.ts';
import { parseTestBody, useTestOrganization } from '../../test-organization.test-support.ts';
import { OrganizationSnapshotData } from './organization-snapshot-data.ts';

const test = useTestOrganization();

const createMembers = (...names: readonly string[]): Promise<string[]> =>
  Promise.all(
    names.map(async name => {
      const body = parseTestBody(createMemberRequestSchema, { name });
      return (await test.organization.write(context => createMember(context, body))).id;
    }),
  );

const openView = async (): Promise<OrganizationSnapshotData> => {
  const dependencies = { services: test.database.services, onUnreadable: () => undefined };
  return (await OrganizationSnapshotData.open(dependencies, test.organization.id, undefined))!;
};

describe('OrganizationSnapshotData', () => {
  it('returns all members, also if the cached ones are cleared while the others are loaded', async () => {
    const ids = await createMembers('Ann', 'Bob', 'Cleo');
    const view = await openView();
    await view.records(ids.slice(0, 2));
    const loading = view.records(ids);
    view.clearRecords();
    expect((await loading).map(({ id }) => id)).toEqual(ids);
  });

  it('loads each member once', async () => {
    const ids = await createMembers('Ann', 'Bob');
    const view = await openView();
    await view.records(ids);
    const before = test.database.statements.length;
    await view.records(ids);
    expect(test.database.statements.length).toBe(before);
  });
});
