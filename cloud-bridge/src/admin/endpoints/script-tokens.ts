import { instant } from '@lintel/access-core/instant';
import {
  createScriptTokenRequestSchema,
  scriptTokenCreatedResponseSchema,
  scriptTokenResponseSchema,
  type ScriptTokenResponse,
} from '@lintel/wire-protocol/admin/script-token';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import {
  createScriptToken,
  revokeScriptToken,
  type ScriptTokenRow,
  selectValidScriptTokens,
} from '../../resources/script-tokens.ts';
import { ApiError } from '../../http/api-error.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { AdminCaller } from '../admin-caller.ts';
import { type AdminEndpoint, defineAdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';

const toResponse = (row: ScriptTokenRow): ScriptTokenResponse => ({
  id: row.script_token_id as ScriptTokenResponse['id'],
  organization_id: row.organization_id as ScriptTokenResponse['organization_id'],
  name: row.script_token_name,
  scope: row.scope,
  user_id: row.user_id as ScriptTokenResponse['user_id'],
  created_at: toDateTime(instant(row.created_at)),
  expires_at: toDateTime(instant(row.expires_at)),
});

/** A token must not extend its own life by creating others. */
const requireUser = ({ applicationId, userId }: AdminCaller): string => {
  if (applicationId === null && userId !== null) return userId;
  throw new ApiError('forbidden', 'Creating a token requires a signed-in user');
};

/** Access tokens for scripts, of the built-in application `cli`. */
export const createScriptTokenEndpoints = (
  { storage, clock }: BridgeServices,
  onTokensRevoked: () => void,
): AdminEndpoint[] => {
  const list = `${ORGANIZATION_PATH_PREFIX}/tokens`;
  const common = { tag: 'Applications', response: scriptTokenResponseSchema } as const;
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'applications.read',
      path: list,
      summary: 'List the valid access tokens for scripts',
      name: 'tokens',
      read: ({ organizationId }, page) =>
        fetchPageRows(selectValidScriptTokens(storage.reader, organizationId, clock()), 'script_token_id', page),
      idOf: ({ script_token_id }) => script_token_id,
      toObject: toResponse,
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'applications.write',
      method: 'POST',
      path: list,
      needsFreshLogin: true,
      summary: 'Create an access token for a script; it is shown once',
      body: createScriptTokenRequestSchema,
      response: scriptTokenCreatedResponseSchema,
      handle: async call => {
        const userId = requireUser(call.caller);
        const { row, accessToken } = await writeAsCaller(call, context =>
          createScriptToken(context, userId, call.body),
        );
        return { ...toResponse(row), access_token: accessToken };
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'applications.write',
      method: 'DELETE',
      path: `${list}/:token_id`,
      summary: 'Revoke an access token for a script',
      handle: async call => {
        const row = await writeAsCaller(call, context => revokeScriptToken(context, call.params['token_id'] ?? ''));
        onTokensRevoked();
        return toResponse(row);
      },
    }),
  ];
};
