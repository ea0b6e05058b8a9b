import { instant } from '@lintel/access-core/instant';
import {
  managedOAuthApplicationResponseSchema,
  type ManagedOAuthApplicationResponse,
  createOAuthApplicationRequestSchema,
  oauthApplicationCreatedResponseSchema,
  editOAuthApplicationRequestSchema,
} from '@lintel/wire-protocol/admin/oauth-application';
import { emptyBodySchema } from '@lintel/wire-protocol/rest/metadata-and-tags';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import type { Kysely } from 'kysely';
import { createNotFoundError } from '../../http/api-error.ts';
import { toActor } from '../../transactions/actor.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import {
  createOAuthApplication,
  deleteOAuthApplication,
  editOAuthApplication,
  rotateOAuthApplicationSecret,
} from '../../resources/oauth-applications.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { Database, OAuthApplicationRow } from '../../storage/schema.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';

const toResponse = (row: OAuthApplicationRow): ManagedOAuthApplicationResponse => ({
  id: row.id as ManagedOAuthApplicationResponse['id'],
  organization_id: row.organization_id as ManagedOAuthApplicationResponse['organization_id'],
  name: row.name,
  client_id: row.client_id,
  redirect_uris: JSON.parse(row.redirect_uris) as string[],
  is_public: row.is_public === 1,
  is_deleted: row.is_deleted === 1,
  created_at: toDateTime(instant(row.created_at)),
});

/** `onTokensRevoked` is called after the commit, so that this bridge rejects the tokens at once. */
export const createOAuthApplicationEndpoints = (
  services: BridgeServices,
  onTokensRevoked: () => void,
): AdminEndpoint[] => {
  const common = { tag: 'Applications', response: managedOAuthApplicationResponseSchema } as const;
  const list = `${ORGANIZATION_PATH_PREFIX}/applications`;
  const single = `${list}/:application_id`;
  const applications = (db: Kysely<Database>, organizationId: string) =>
    db.selectFrom('oauth_applications').selectAll().where('organization_id', '=', organizationId);
  return [
    defineAdminListEndpoint({
      ...common,
      requiredPermission: 'applications.read',
      path: list,
      summary: 'List the applications that the organization owns',
      name: 'applications',
      read: ({ organizationId }, page) =>
        fetchPageRows(applications(services.storage.reader, organizationId).where('is_deleted', '=', 0), 'id', page),
      idOf: ({ id }) => id,
      toObject: toResponse,
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'applications.read',
      method: 'GET',
      path: single,
      summary: 'Get an application',
      handle: async ({ db, caller, params: { application_id = '' } }) => {
        const row = await applications(db, caller.organizationId).where('id', '=', application_id).executeTakeFirst();
        if (row === undefined) throw createNotFoundError('application', application_id);
        return toResponse(row);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'applications.write',
      method: 'POST',
      path: list,
      needsFreshLogin: true,
      summary: 'Create an application; its secret is shown once',
      body: createOAuthApplicationRequestSchema,
      response: oauthApplicationCreatedResponseSchema,
      handle: async call => {
        const { application, clientSecret } = await writeAsCaller(call, context =>
          createOAuthApplication(context, call.body),
        );
        return { ...toResponse(application), client_secret: clientSecret };
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'applications.write',
      method: 'PATCH',
      path: single,
      // A redirect address receives the codes of all organizations that use the application.
      needsFreshLogin: ({ redirect_uris }) => redirect_uris !== undefined,
      summary: 'Edit an application',
      body: editOAuthApplicationRequestSchema,
      handle: async call =>
        toResponse(
          await writeAsCaller(call, context =>
            editOAuthApplication(context, call.params['application_id'] ?? '', call.body),
          ),
        ),
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'applications.write',
      method: 'POST',
      path: `${single}/rotate_secret`,
      needsFreshLogin: true,
      operationId: 'rotateApplicationSecret',
      summary: 'Replace the secret of an application; the previous one is invalid at once, the new one is shown once',
      body: emptyBodySchema,
      response: oauthApplicationCreatedResponseSchema,
      handle: async call => {
        const { application_id: id = '' } = call.params;
        const { application, clientSecret } = await writeAsCaller(call, context =>
          rotateOAuthApplicationSecret(context, id),
        );
        return { ...toResponse(application), client_secret: clientSecret };
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'applications.write',
      method: 'DELETE',
      path: single,
      summary: 'Delete an application and revoke its tokens in every organization',
      managesOwnTransaction: true,
      handle: async ({ caller, params: { application_id = '' } }) => {
        const row = await deleteOAuthApplication(services, caller.organizationId, toActor(caller), application_id);
        onTokensRevoked();
        return toResponse(row);
      },
    }),
  ];
};
