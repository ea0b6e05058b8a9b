import { instant } from '@lintel/access-core/instant';
import { type UserSessionResponse, userSessionResponseSchema } from '@lintel/wire-protocol/admin/user-session';
import { listPageSchema } from '@lintel/wire-protocol/rest/list-page';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { AuthenticatedAccount } from '../../accounts/authenticated-account.ts';
import { describeSessionClient } from '../../accounts/describe-session-client.ts';
import { selectActiveUserSessions, deleteUserSessionById } from '../../accounts/user-sessions.ts';
import { defineEndpoint } from '../../api/define-endpoint.ts';
import { createNotFoundError } from '../../http/api-error.ts';
import { hashToken } from '../../secrets/create-and-hash-token.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { UserSessionRow } from '../../storage/user-schema.ts';
import type { AccountEndpoint } from '../admin-endpoint.ts';
import { fetchPageRows, pageQueryParameterDescriptions, paginateById } from '../paginated-list-endpoint.ts';
import { requireUserSession } from './current-session-and-own-organizations.ts';

const toResponse = (row: UserSessionRow, currentToken: string): UserSessionResponse => ({
  id: row.hash,
  client: describeSessionClient(row),
  ip_address: row.ip_address,
  created_at: toDateTime(instant(row.created_at)),
  last_used_at: toDateTime(instant(row.seen_at)),
  expires_at: toDateTime(instant(row.expires_at)),
  is_current: row.hash === hashToken(currentToken),
});

/** The browsers in which the caller is signed in. */
export const createUserSessionEndpoints = ({ storage, clock }: BridgeServices): AccountEndpoint[] => [
  defineEndpoint<never, AuthenticatedAccount>({
    method: 'GET',
    path: '/sessions',
    tag: 'Account',
    summary: 'List the sessions of the signed-in user',
    response: listPageSchema(userSessionResponseSchema),
    query: pageQueryParameterDescriptions,
    handle: async ({ caller, query }) => {
      const { user, token } = requireUserSession(caller);
      return paginateById(query, {
        name: `sessions of ${user.id}`,
        read: page => fetchPageRows(selectActiveUserSessions(storage.reader, user.id, clock()), 'hash', page),
        idOf: ({ hash }) => hash,
        toObject: row => toResponse(row, token),
      });
    },
  }),
  defineEndpoint<never, AuthenticatedAccount>({
    method: 'DELETE',
    path: '/sessions/:session_id',
    tag: 'Account',
    summary: 'End a session of the signed-in user',
    response: userSessionResponseSchema,
    handle: async ({ caller, params: { session_id = '' } }) => {
      const { user, token } = requireUserSession(caller);
      const ended = await deleteUserSessionById(storage.writer, user.id, session_id);
      if (ended === null) throw createNotFoundError('session', session_id);
      return toResponse(ended, token);
    },
  }),
];
