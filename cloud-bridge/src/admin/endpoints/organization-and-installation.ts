import {
  administeredOrganizationResponseSchema,
  type AdministeredOrganizationResponse,
  editOrganizationRequestSchema,
} from '@lintel/wire-protocol/admin/organization';
import { installationResponseSchema } from '@lintel/wire-protocol/admin/bridge-installation';
import type { Role } from '@lintel/wire-protocol/admin/role';
import { instant } from '@lintel/access-core/instant';
import { toDateTime } from '@lintel/wire-protocol/schema-parts/date-time';
import { readBridgeVersion } from '../../bridge-version.ts';
import { listPermissions } from '../../accounts/role-permissions.ts';
import type { CallerRights } from '../../http/authenticated-caller.ts';
import { writeAsCaller } from '../../api/define-endpoint.ts';
import { requirePersonOrOperator } from '../../resources/controller-confirmation.ts';
import { editOrganization } from '../../resources/organization.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import type { OrganizationRow } from '../../storage/schema.ts';
import { defineAdminEndpoint, type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';

export const toAdministeredOrganizationResponse = (
  row: OrganizationRow,
  { role, isApplication }: CallerRights & { readonly role: Role },
): AdministeredOrganizationResponse => ({
  id: row.id as AdministeredOrganizationResponse['id'],
  name: row.name,
  is_deleted: row.is_deleted === 1,
  created_at: toDateTime(instant(row.created_at)),
  metadata: JSON.parse(row.metadata) as AdministeredOrganizationResponse['metadata'],
  features: { whitelabel: row.whitelabel === 1 },
  role,
  permissions: listPermissions({ role, isApplication }),
  technicians_activate_controllers: row.technicians_activate === 1,
  guest_contact_name: row.guest_contact_name,
  guest_contact_phone: row.guest_contact_phone,
  guest_pins: row.guest_pins,
});

export const createOrganizationAndInstallationEndpoints = (services: BridgeServices): AdminEndpoint[] => {
  const { storage } = services;
  const common = {
    path: ORGANIZATION_PATH_PREFIX,
    tag: 'Organization',
    response: administeredOrganizationResponseSchema,
  } as const;
  return [
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'organization.read',
      method: 'GET',
      summary: 'Get an organization',
      handle: async ({ db, caller }) => {
        const row = await db
          .selectFrom('organizations')
          .selectAll()
          .where('id', '=', caller.organizationId)
          .executeTakeFirstOrThrow();
        return toAdministeredOrganizationResponse(row, caller);
      },
    }),
    defineAdminEndpoint({
      ...common,
      requiredPermission: 'organization.edit',
      method: 'PATCH',
      summary: 'Edit an organization',
      body: editOrganizationRequestSchema,
      handle: async call =>
        toAdministeredOrganizationResponse(
          await writeAsCaller(call, async context => {
            if (call.body.technicians_activate_controllers !== undefined) requirePersonOrOperator(call.caller);
            return editOrganization(context, call.body);
          }),
          call.caller,
        ),
    }),
    defineAdminEndpoint({
      requiredPermission: 'organization.read',
      method: 'GET',
      path: `${ORGANIZATION_PATH_PREFIX}/installation`,
      tag: 'Organization',
      summary: 'Get version, address and setup of the bridge',
      response: installationResponseSchema,
      handle: async () => ({
        version: readBridgeVersion(),
        public_url: services.publicUrl,
        database: storage.engine,
        sends_email: services.accountMailer.isEnabled,
      }),
    }),
  ];
};
