import {
  organizationUserAnswer,
  type OrganizationUserAnswer,
  organizationUserCreate,
  organizationUserEdit,
} from '@lintel/wire-protocol/admin/organization-user';
import { writeFor } from '../../api/endpoint.ts';
import { notFound } from '../../http/api-error.ts';
import {
  addOrganizationUser,
  editOrganizationUser,
  type OrganizationUser,
  removeOrganizationUser,
} from '../../resources/organization-users.ts';
import type { Services } from '../../services.ts';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { adminList, pageRows } from '../paging.ts';

const answerOf = ({ user_id, email, name, role, site_ids }: OrganizationUser): OrganizationUserAnswer => ({
  id: user_id as OrganizationUserAnswer['id'],
  email,
  name,
  role,
  site_ids: JSON.parse(site_ids) as OrganizationUserAnswer['site_ids'],
});

export const userEndpoints = ({ storage }: Services): AdminEndpoint[] => {
  const common = { tag: 'Users', answer: organizationUserAnswer } as const;
  const [list, single] = [`${ORGANIZATION}/users`, `${ORGANIZATION}/users/:user_id`];
  const users = (organizationId: string) =>
    storage.reader
      .selectFrom('organization_users')
      .innerJoin('users', 'users.id', 'organization_users.user_id')
      .selectAll('organization_users')
      .select(['users.email', 'users.name'])
      .where('organization_id', '=', organizationId);
  return [
    adminList({
      ...common,
      needs: 'users.read',
      path: list,
      summary: 'List users',
      name: 'users',
      read: ({ organizationId }, page) => pageRows(users(organizationId), 'user_id', page),
      idOf: ({ user_id }) => user_id,
      toObject: answerOf,
    }),
    adminEndpoint({
      ...common,
      needs: 'users.read',
      method: 'GET',
      path: single,
      summary: 'Get a user',
      handle: async ({ caller, params: { user_id = '' } }) => {
        const row = await users(caller.organizationId).where('user_id', '=', user_id).executeTakeFirst();
        if (row === undefined) throw notFound('user', user_id);
        return answerOf(row);
      },
    }),
    adminEndpoint({
      ...common,
      needs: 'users.write',
      method: 'POST',
      path: list,
      summary: 'Add a user by email, with an account or with a first password',
      body: organizationUserCreate,
      handle: async call =>
        answerOf(await writeFor(call, context => addOrganizationUser(context, call.caller.role, call.body))),
    }),
    adminEndpoint({
      ...common,
      needs: 'users.write',
      method: 'PATCH',
      path: single,
      summary: 'Change the role of a user or the sites of a technician',
      body: organizationUserEdit,
      handle: async call => {
        const { caller, params, body } = call;
        return answerOf(
          await writeFor(call, context => editOrganizationUser(context, caller.role, params['user_id'] ?? '', body)),
        );
      },
    }),
    adminEndpoint({
      ...common,
      needs: 'users.write',
      method: 'DELETE',
      path: single,
      summary: 'Remove a user from the organization',
      handle: async call => {
        const { caller, params } = call;
        return answerOf(
          await writeFor(call, context => removeOrganizationUser(context, caller.role, params['user_id'] ?? '')),
        );
      },
    }),
  ];
};
