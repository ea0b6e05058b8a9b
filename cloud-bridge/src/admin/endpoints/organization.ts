import {
  administeredOrganizationAnswer,
  type AdministeredOrganizationAnswer,
  organizationEdit,
} from '@lintel/wire-protocol/admin/organization';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { instant } from '@lintel/access-core/instant';
import { dateTimeOf } from '@lintel/wire-protocol/schema-parts/date-time';
import { writeFor } from '../../api/endpoint.ts';
import { editOrganization } from '../../resources/organization.ts';
import type { Services } from '../../services.ts';
import type { OrganizationRow } from '../../storage/schema.ts';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';

export const organizationAnswerOf = (row: OrganizationRow, role: Role): AdministeredOrganizationAnswer => ({
  id: row.id as AdministeredOrganizationAnswer['id'],
  name: row.name,
  is_deleted: row.is_deleted === 1,
  created_at: dateTimeOf(instant(row.created_at)),
  metadata: JSON.parse(row.metadata) as AdministeredOrganizationAnswer['metadata'],
  features: { whitelabel: row.whitelabel === 1 },
  role,
});

export const organizationEndpoints = ({ storage }: Services): AdminEndpoint[] => {
  const common = { path: ORGANIZATION, tag: 'Organization', answer: administeredOrganizationAnswer } as const;
  return [
    adminEndpoint({
      ...common,
      needs: 'organization.read',
      method: 'GET',
      summary: 'Get an organization',
      handle: async ({ caller: { organizationId, role } }) => {
        const row = await storage.reader
          .selectFrom('organizations')
          .selectAll()
          .where('id', '=', organizationId)
          .executeTakeFirstOrThrow();
        return organizationAnswerOf(row, role);
      },
    }),
    adminEndpoint({
      ...common,
      needs: 'organization.edit',
      method: 'PATCH',
      summary: 'Edit an organization and its features',
      body: organizationEdit,
      handle: async call =>
        organizationAnswerOf(await writeFor(call, context => editOrganization(context, call.body)), call.caller.role),
    }),
  ];
};
