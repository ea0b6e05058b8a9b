import {
  organizationUserResponse,
  type OrganizationUserResponse,
  organizationUserCreate,
  organizationUserEdit,
} from '@lintel/wire-protocol/admin/organization-user';
import { writeAsCaller } from '../../api/endpoint.ts';
import { notFoundError } from '../../http/api-error.ts';
import {
  addOrganizationUser,
  editOrganizationUser,
  type OrganizationUser,
  removeOrganizationUser,
} from '../../resources/organization-users.ts';
import type { BridgeServices } from '../../services.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH } from '../admin-endpoint.ts';
import { defineAdminList, fetchPageRows } from '../paging.ts';

const toResponse = ({ user_id, email, name, role, site_ids }: OrganizationUser): OrganizationUserResponse => ({
  id: user_id as OrganizationUserResponse['id'],
  email,
  name,
  role,
  site_ids: JSON.parse(site_ids) as OrganizationUserResponse['site_ids'],
});

export const userEndpoints = ({ storage }: BridgeServices): AdminEndpoint[] => {
  const common = { tag: 'Users', response: organizationUserResponse } as const;
  const [list, single] = [`${ORGANIZATION_PATH}/users`, `${ORGANIZATION_PATH}/users/:user_id`];
  const users = (organizationId: string) =>
    storage.reader
      .selectFrom('organization_users')
      .innerJoin('users', 'users.id', 'organization_users.user_id')
      .selectAll('organization_users')
      .select(['users.email', 'users.name'])
      .where('organization_id', '=', organizationId);
  return [
    defineAdminList({
      ...common,
      requiredPermission: 'users.read',
      path: list,
      summary: 'List users',
      name: 'users',
      read: ({ organizationId }, page) => fetchPageRows(users(organizationId), 'user_id', page),
      idOf: ({ user_id }) => user_id,
      toObject: toResponse,
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'users.read',
      method: 'GET',
      path: single,
      summary: 'Get a user',
      handle: async ({ caller, params: { user_id = '' } }) => {
        const row = await users(caller.organizationId).where('user_id', '=', user_id).executeTakeFirst();
        if (row === undefined) throw notFoundError('user', user_id);
        return toResponse(row);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'users.write',
      method: 'POST',
      path: list,
      summary: 'Add a user by email; a new user requires an initial password',
      body: organizationUserCreate,
      handle: async call =>
        toResponse(await writeAsCaller(call, context => addOrganizationUser(context, call.caller.role, call.body))),
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'users.write',
      method: 'PATCH',
      path: single,
      summary: 'Change the role of a user or the sites of a technician',
      body: organizationUserEdit,
      handle: async call => {
        const { caller, params, body } = call;
        return toResponse(
          await writeAsCaller(call, context =>
            editOrganizationUser(context, caller.role, params['user_id'] ?? '', body),
          ),
        );
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'users.write',
      method: 'DELETE',
      path: single,
      summary: 'Remove a user from the organization',
      handle: async call => {
        const { caller, params } = call;
        return toResponse(
          await writeAsCaller(call, context => removeOrganizationUser(context, caller.role, params['user_id'] ?? '')),
        );
      },
    }),
  ];
};
