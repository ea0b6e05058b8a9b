import { adminResponseSchemas } from '@lintel/wire-protocol/admin/response-table';
import { bearerScheme, type ApiDescription } from '../documentation/api-description.ts';

export const adminApiDescription: ApiDescription = {
  title: 'Lintel Administration API',
  version: '1.0',
  description:
    'Organizations, users, sites, devices, input rules, applications, claim tickets, releases and roll-outs.',
  base: '/admin/v1',
  page: '/docs/admin',
  firstRequest: '/organizations',
  objects: adminResponseSchemas,
  securitySchemes: () => ({
    bearer: bearerScheme,
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'lintel_session',
      description: 'The session of a signed-in user. Writes also require the X-CSRF-Token header, from GET /session',
    },
  }),
};
