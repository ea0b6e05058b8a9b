import { instant } from '@lintel/access-core/instant';
import { authorizationAnswer, type AuthorizationAnswer } from '@lintel/wire-protocol/admin/application';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { deauthorizeApplication } from '../../resources/deauthorize-application.ts';
import { writeFor } from '../../api/endpoint.ts';
import { notFound } from '../../http/api-error.ts';
import type { Services } from '../../services.ts';
import type { OAuthApplicationRow, OAuthGrantRow } from '../../storage/schema.ts';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { adminList, pageRows } from '../paging.ts';

type Authorization = OAuthGrantRow & Pick<OAuthApplicationRow, 'name'>;

const answerOf = (row: Authorization): AuthorizationAnswer => ({
  oauth_application_id: row.oauth_application_id as AuthorizationAnswer['oauth_application_id'],
  name: row.name,
  user_id: row.user_id as AuthorizationAnswer['user_id'],
  created_at: dateTimeOf(instant(row.created_at)),
});

/** Applications of whichever maker that may act in the organization. */
export const authorizationEndpoints = ({ storage }: Services, onTokensEnded: () => void): AdminEndpoint[] => {
  const common = { tag: 'Applications', answer: authorizationAnswer } as const;
  const list = `${ORGANIZATION}/authorizations`;
  const authorizations = (db: Services['storage']['reader'], organizationId: string) =>
    db
      .selectFrom('oauth_grants')
      .innerJoin('oauth_applications', 'oauth_applications.id', 'oauth_grants.oauth_application_id')
      .selectAll('oauth_grants')
      .select('oauth_applications.name')
      .where('oauth_grants.organization_id', '=', organizationId);
  return [
    adminList({
      ...common,
      needs: 'applications.read',
      path: list,
      summary: 'List the applications that may act in the organization',
      name: 'authorizations',
      read: ({ organizationId }, page) =>
        pageRows(authorizations(storage.reader, organizationId), 'oauth_grants.oauth_application_id', page),
      idOf: ({ oauth_application_id }) => oauth_application_id,
      toObject: answerOf,
    }),
    adminEndpoint({
      ...common,
      needs: 'applications.write',
      method: 'DELETE',
      path: `${list}/:oauth_application_id`,
      summary: 'End an authorization: the tokens of the application end and its webhooks are deleted',
      handle: async call => {
        const { oauth_application_id: id = '' } = call.params;
        const ended = await writeFor(call, async context => {
          const row = await authorizations(context.db, context.organizationId)
            .where('oauth_grants.oauth_application_id', '=', id)
            .executeTakeFirst();
          if (row === undefined) throw notFound('authorization', id);
          await deauthorizeApplication(context, id);
          return row;
        });
        onTokensEnded();
        return answerOf(ended);
      },
    }),
  ];
};
