import { administeredOrganizationAnswer, organizationCreate } from '@lintel/wire-protocol/admin/organization';
import { sessionAnswer } from '@lintel/wire-protocol/admin/session';
import { pageOf } from '@lintel/wire-protocol/rest/list-page';
import { formToken } from '../../accounts/form-token.ts';
import { isRole } from '../../accounts/roles.ts';
import type { Session } from '../../accounts/sessions.ts';
import { ApiError } from '../../http/api-error.ts';
import { actorOf } from '../../transactions/actor.ts';
import { endpoint } from '../../api/endpoint.ts';
import type { Page } from '../../queries/reader.ts';
import { createOrganization } from '../../resources/organization.ts';
import type { Services } from '../../services.ts';
import type { Account } from '../../accounts/account.ts';
import type { AccountEndpoint } from '../admin-endpoint.ts';
import { pageById, pageParameters, pageRows } from '../paging.ts';
import { roleOfScopes } from '../../accounts/role-permissions.ts';
import { organizationAnswerOf } from './organization.ts';

const requireSession = ({ identity }: Account): Session => {
  if (identity.kind === 'session') return identity.session;
  throw new ApiError('forbidden', 'This is for people who are signed in, not for tokens');
};

/** Those of a person, or the one of a token. */
const organizationsOf = async ({ storage }: Services, account: Account, query: object): Promise<Page> => {
  const { identity } = account;
  const known = storage.reader.selectFrom('organizations').selectAll().where('is_deleted', '=', 0);
  if (identity.kind === 'token') {
    const { organizationId, scopes } = identity.token;
    const role = roleOfScopes(scopes) ?? 'viewer';
    return pageById(query as Record<string, unknown>, {
      name: `organizations of ${organizationId}`,
      read: ({ before }) => (before === null ? known.where('id', '=', organizationId).execute() : Promise.resolve([])),
      idOf: ({ id }) => id,
      toObject: row => organizationAnswerOf(row, role),
    });
  }
  const { id: userId } = identity.session.user;
  return pageById(query as Record<string, unknown>, {
    name: `organizations of ${userId}`,
    read: page => {
      const mine = known
        .innerJoin('organization_users', 'organization_users.organization_id', 'organizations.id')
        .select('organization_users.role')
        .where('organization_users.user_id', '=', userId);
      return pageRows(mine, 'organizations.id', page);
    },
    idOf: ({ id }) => id,
    toObject: row => organizationAnswerOf(row, isRole(row.role) ? row.role : 'viewer'),
  });
};

export const accountEndpoints = (services: Services): AccountEndpoint[] => [
  endpoint<never, Account>({
    method: 'GET',
    path: '/session',
    tag: 'Account',
    summary: 'Who is signed in, and the token that their writes carry',
    answer: sessionAnswer,
    handle: async ({ caller }) => {
      const { user, token } = requireSession(caller);
      return { user, csrf_token: formToken(token) };
    },
  }),
  endpoint<never, Account>({
    method: 'GET',
    path: '/organizations',
    tag: 'Account',
    summary: 'List the organizations that one may administer',
    answer: pageOf(administeredOrganizationAnswer),
    query: pageParameters,
    handle: ({ caller, query }) => organizationsOf(services, caller, query),
  }),
  endpoint<typeof organizationCreate, Account>({
    method: 'POST',
    path: '/organizations',
    tag: 'Account',
    summary: 'Create an organization and become its owner',
    body: organizationCreate,
    answer: administeredOrganizationAnswer,
    handle: async ({ caller, body }) => {
      const { user } = requireSession(caller);
      const { ip, userAgent } = caller;
      const actor = actorOf({ organizationId: '', applicationId: null, userId: user.id, ip, userAgent });
      return organizationAnswerOf(await createOrganization(services, actor, user.id, body), 'owner');
    },
  }),
];
