import { instant } from '@lintel/access-core/instant';
import {
  applicationAnswer,
  type ApplicationAnswer,
  applicationCreate,
  applicationCreated,
  applicationEdit,
} from '@lintel/wire-protocol/admin/application';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { notFound } from '../../http/api-error.ts';
import { actorOf } from '../../transactions/actor.ts';
import { writeFor } from '../../api/endpoint.ts';
import { addApplication, deleteApplication, editApplication } from '../../resources/applications.ts';
import type { Services } from '../../services.ts';
import type { OAuthApplicationRow } from '../../storage/schema.ts';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { adminList, pageRows } from '../paging.ts';

const answerOf = (row: OAuthApplicationRow): ApplicationAnswer => ({
  id: row.id as ApplicationAnswer['id'],
  organization_id: row.organization_id as ApplicationAnswer['organization_id'],
  name: row.name,
  client_id: row.client_id,
  redirect_uris: JSON.parse(row.redirect_uris) as string[],
  is_public: row.is_public === 1,
  is_deleted: row.is_deleted === 1,
  created_at: dateTimeOf(instant(row.created_at)),
});

/** `onTokensEnded` is called after the commit, so that this bridge refuses the tokens at once. */
export const applicationEndpoints = (services: Services, onTokensEnded: () => void): AdminEndpoint[] => {
  const common = { tag: 'Applications', answer: applicationAnswer } as const;
  const list = `${ORGANIZATION}/applications`;
  const single = `${list}/:application_id`;
  const applications = (organizationId: string) =>
    services.storage.reader.selectFrom('oauth_applications').selectAll().where('organization_id', '=', organizationId);
  return [
    adminList({
      ...common,
      needs: 'applications.read',
      path: list,
      summary: 'List the applications that the organization has made',
      name: 'applications',
      read: ({ organizationId }, page) =>
        pageRows(applications(organizationId).where('is_deleted', '=', 0), 'id', page),
      idOf: ({ id }) => id,
      toObject: answerOf,
    }),
    adminEndpoint({
      ...common,
      needs: 'applications.read',
      method: 'GET',
      path: single,
      summary: 'Get an application',
      handle: async ({ caller, params: { application_id = '' } }) => {
        const row = await applications(caller.organizationId).where('id', '=', application_id).executeTakeFirst();
        if (row === undefined) throw notFound('application', application_id);
        return answerOf(row);
      },
    }),
    adminEndpoint({
      ...common,
      needs: 'applications.write',
      method: 'POST',
      path: list,
      summary: 'Create an application; its secret is in this answer only',
      body: applicationCreate,
      answer: applicationCreated,
      handle: async call => {
        const { application, clientSecret } = await writeFor(call, context => addApplication(context, call.body));
        return { ...answerOf(application), client_secret: clientSecret };
      },
    }),
    adminEndpoint({
      ...common,
      needs: 'applications.write',
      method: 'PATCH',
      path: single,
      summary: 'Edit an application',
      body: applicationEdit,
      handle: async call =>
        answerOf(
          await writeFor(call, context => editApplication(context, call.params['application_id'] ?? '', call.body)),
        ),
    }),
    adminEndpoint({
      ...common,
      needs: 'applications.write',
      method: 'DELETE',
      path: single,
      summary: 'Delete an application; its tokens end wherever it was authorized',
      handle: async ({ caller, params: { application_id = '' } }) => {
        const row = await deleteApplication(services, caller.organizationId, actorOf(caller), application_id);
        onTokensEnded();
        return answerOf(row);
      },
    }),
  ];
};
