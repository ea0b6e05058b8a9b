import { adminResponseSchemas } from '@lintel/wire-protocol/admin/response-schemas-by-object-name';
import { roles } from '@lintel/wire-protocol/admin/role';
import { isOpenToApplications, roleAllows } from '../accounts/role-permissions.ts';
import type { EndpointDescription } from '../api/define-endpoint.ts';
import {
  bearerSecurityScheme,
  apiTagDescriptions,
  type ApiDescription,
} from '../documentation/public-api-description.ts';
import { adminRequestExamples } from '../documentation/examples/admin-requests.ts';
import type { AdminEndpoint } from './admin-endpoint.ts';

const describeRoles = (endpoint: EndpointDescription): string => {
  const { requiredPermission } = endpoint as Partial<AdminEndpoint>;
  if (requiredPermission === undefined) return 'For every caller, limited to its own account and organizations.';
  const names = roles.filter(role => roleAllows(role, requiredPermission)).join(', ');
  return `Roles: ${names}.${isOpenToApplications(requiredPermission) ? '' : ' Not for applications.'}`;
};

export const adminApiDescription: ApiDescription = {
  title: 'Lintel Administration API',
  version: '1.0',
  description:
    'Organizations, users, sites, devices, input rules, applications, claim tickets, releases and roll-outs.',
  base: '/admin/v1',
  page: '/docs/admin',
  firstRequest: '/organizations',
  objects: adminResponseSchemas,
  tagDescriptions: {
    ...apiTagDescriptions,
    Account: 'The signed-in user, its sessions and its organizations.',
    Users: 'People who administer the organization.',
    'Input rules': 'What a keypad or reader of a device operates.',
    Access: 'Whether a member may operate a gadget, and why not.',
    Claiming: 'Tickets to claim controllers, and passes for technicians.',
    Applications: 'OAuth applications of the organization, and applications that it has authorized.',
    Alerts: 'Messages when a door or a controller needs attention.',
    Updates: 'Releases and their roll-outs to devices.',
  },
  requestExamples: adminRequestExamples,
  hasClient: false,
  sendsEvents: false,
  describeAccess: describeRoles,
  securitySchemes: () => ({
    bearer: bearerSecurityScheme,
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'lintel_session',
      description:
        'The session of a signed-in user, `__Host-lintel_session` with HTTPS. Writes also require the X-CSRF-Token header, from GET /session',
    },
  }),
};
