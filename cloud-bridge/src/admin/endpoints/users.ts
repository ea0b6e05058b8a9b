import {
  organizationUserAnswer,
  type OrganizationUserAnswer,
  organizationUserCreate,
  organizationUserEdit,
} from '@lintel/wire-protocol/admin/organization-user';
import { pageOf } from '@lintel/wire-protocol/rest/list-page';
import { notFound } from '../../http/api-error.ts';
import { actorOf } from '../../http/caller.ts';
import type { Call } from '../../http/endpoint.ts';
import {
  addOrganizationUser,
  editOrganizationUser,
  type OrganizationUser,
  removeOrganizationUser,
} from '../../resources/organization-users.ts';
import type { Services } from '../../services.ts';
import type { WriteContext } from '../../writing/writer.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { pageById, pageParameters } from '../paging.ts';

const answerOf = ({ user_id, email, name, role, site_ids }: OrganizationUser): OrganizationUserAnswer => ({
  id: user_id as OrganizationUserAnswer['id'],
  email,
  name,
  role,
  site_ids: JSON.parse(site_ids) as OrganizationUserAnswer['site_ids'],
});

export const userEndpoints = ({ storage, writer }: Services): AdminEndpoint[] => {
  const common = { tag: 'Users', answer: organizationUserAnswer } as const;
  const [list, single] = [`${ORGANIZATION}/users`, `${ORGANIZATION}/users/:user_id`];
  const users = (organizationId: string) =>
    storage.reader
      .selectFrom('organization_users')
      .innerJoin('users', 'users.id', 'organization_users.user_id')
      .selectAll('organization_users')
      .select(['users.email', 'users.name'])
      .where('organization_id', '=', organizationId);
  const written = async (
    { caller }: Call<unknown, AdminCaller>,
    work: (context: WriteContext) => Promise<OrganizationUser>,
  ) => answerOf(await writer.write(caller.organizationId, actorOf(caller), work));
  return [
    adminEndpoint({
      ...common,
      needs: 'users.read',
      method: 'GET',
      path: list,
      summary: 'List users',
      answer: pageOf(organizationUserAnswer),
      query: pageParameters,
      handle: ({ caller: { organizationId }, query }) =>
        pageById(query, {
          name: `users of ${organizationId}`,
          read: ({ before, count }) => {
            const page = users(organizationId).orderBy('user_id', 'desc').limit(count);
            return (before === null ? page : page.where('user_id', '<', before)).execute();
          },
          idOf: ({ user_id }) => user_id,
          toObject: answerOf,
        }),
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
      handle: call => written(call, context => addOrganizationUser(context, call.caller.role, call.body)),
    }),
    adminEndpoint({
      ...common,
      needs: 'users.write',
      method: 'PATCH',
      path: single,
      summary: 'Change the role of a user or the sites of a technician',
      body: organizationUserEdit,
      handle: call =>
        written(call, context =>
          editOrganizationUser(context, call.caller.role, call.params['user_id'] ?? '', call.body),
        ),
    }),
    adminEndpoint({
      ...common,
      needs: 'users.write',
      method: 'DELETE',
      path: single,
      summary: 'Remove a user from the organization',
      handle: call =>
        written(call, context => removeOrganizationUser(context, call.caller.role, call.params['user_id'] ?? '')),
    }),
  ];
};
