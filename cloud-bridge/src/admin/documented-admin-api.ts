import { adminAnswers } from '@lintel/wire-protocol/admin/answer-table';
import { bearerScheme, type DocumentedApi } from '../documentation/documented-api.ts';

export const adminApi: DocumentedApi = {
  title: 'Lintel Administration API',
  version: '1.0',
  description:
    'Organizations, users, sites, devices, input rules, applications, claim tickets, releases and roll-outs.',
  base: '/admin/v1',
  page: '/docs/admin',
  firstRequest: '/organizations',
  objects: adminAnswers,
  securitySchemes: () => ({
    bearer: bearerScheme,
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'lintel_session',
      description: 'Somebody who is signed in; writes carry X-CSRF-Token too, as GET /session answers it',
    },
  }),
};
