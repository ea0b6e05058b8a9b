import { instant } from '@lintel/access-core/instant';
import {
  oauthAuthorizationResponseSchema,
  type AuthorizedOAuthApplicationResponse,
} from '@lintel/wire-protocol/admin/oauth-application';
import { toDateTime, toDateTimeOrNull } from '@lintel/wire-protocol/schema-parts/date-time';
import { deauthorizeOAuthApplication } from '../../resources/deauthorize-oauth-application.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { createNotFoundError } from '../../http/api-error.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { OAuthApplicationRow, OAuthGrantRow } from '../../storage/schema.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';

type Authorization = OAuthGrantRow &
  Pick<OAuthApplicationRow, 'name'> & { readonly failing_webhooks: number; readonly ends_at: number | null };

const toResponse = (row: Authorization): AuthorizedOAuthApplicationResponse => ({
  oauth_application_id: row.oauth_application_id as AuthorizedOAuthApplicationResponse['oauth_application_id'],
  name: row.name,
  user_id: row.user_id as AuthorizedOAuthApplicationResponse['user_id'],
  failing_webhooks: row.failing_webhooks,
  ends_at: toDateTimeOrNull(row.ends_at),
  created_at: toDateTime(instant(row.created_at)),
});

/** The applications, of any owner, that have access to the organization. */
export const createOAuthAuthorizationEndpoints = (
  { storage, clock }: BridgeServices,
  onTokensRevoked: () => void,
): AdminEndpoint[] => {
  const common = { tag: 'Applications', response: oauthAuthorizationResponseSchema } as const;
  const list = `${ORGANIZATION_PATH_PREFIX}/authorizations`;
  const authorizations = (db: BridgeServices['storage']['reader'], organizationId: string) =>
    db
      .selectFrom('oauth_grants')
      .innerJoin('oauth_applications', 'oauth_applications.id', 'oauth_grants.oauth_application_id')
      .selectAll('oauth_grants')
      .select('oauth_applications.name')
      .select(select =>
        select
          .selectFrom('webhooks')
          .select(count => count.fn.countAll<number>().as('count'))
          .whereRef('webhooks.organization_id', '=', 'oauth_grants.organization_id')
          .whereRef('webhooks.oauth_application_id', '=', 'oauth_grants.oauth_application_id')
          .where('webhooks.failing_since', 'is not', null)
          .where('webhooks.is_deleted', '=', 0)
          .$asScalar()
          .$notNull()
          .as('failing_webhooks'),
      )
      .select(select =>
        select
          .selectFrom('oauth_tokens')
          .select(end => end.fn.max('oauth_tokens.expires_at').as('end'))
          .whereRef('oauth_tokens.organization_id', '=', 'oauth_grants.organization_id')
          .whereRef('oauth_tokens.oauth_application_id', '=', 'oauth_grants.oauth_application_id')
          .where('oauth_tokens.kind', 'in', ['access', 'refresh'])
          .where('oauth_tokens.used_at', 'is', null)
          .where('oauth_tokens.expires_at', '>', clock())
          .as('ends_at'),
      )
      .where('oauth_grants.organization_id', '=', organizationId);
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'applications.read',
      path: list,
      summary: 'List the applications that have access to the organization',
      name: 'authorizations',
      read: ({ organizationId }, page) =>
        fetchPageRows(authorizations(storage.reader, organizationId), 'oauth_grants.oauth_application_id', page),
      idOf: ({ oauth_application_id }) => oauth_application_id,
      toObject: toResponse,
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'applications.write',
      method: 'DELETE',
      path: `${list}/:oauth_application_id`,
      summary: 'Revoke the access of an application: revokes its tokens and deletes its webhooks',
      handle: async call => {
        const { oauth_application_id: id = '' } = call.params;
        const revoked = await writeAsCaller(call, async context => {
          const row = await authorizations(context.db, context.organizationId)
            .where('oauth_grants.oauth_application_id', '=', id)
            .executeTakeFirst();
          if (row === undefined) throw createNotFoundError('authorization', id);
          await deauthorizeOAuthApplication(context, id);
          return row;
        });
        onTokensRevoked();
        return toResponse(revoked);
      },
    }),
  ];
};
