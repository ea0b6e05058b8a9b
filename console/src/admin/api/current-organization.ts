import type { AdministeredOrganizationResponse } from '@lintel/wire-protocol/admin/organization';
import type { AdminPermission } from '@lintel/wire-protocol/permissions/admin-permissions';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AdminSession } from './load-admin-session.ts';
import { OrganizationClient } from './organization-client.ts';

/** The organization that the page shows, with what the user may do in it. */
export interface CurrentOrganization {
  readonly session: AdminSession;
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly client: OrganizationClient;
  readonly allows: (permission: AdminPermission) => boolean;
}

export const createCurrentOrganization = (
  session: AdminSession,
  response: AdministeredOrganizationResponse,
): CurrentOrganization => {
  const { id, name, role } = response;
  const permissions = new Set<string>(response.permissions);
  return {
    session,
    id,
    name,
    role,
    client: new OrganizationClient(id),
    allows: permission => permissions.has(permission),
  };
};

export const CurrentOrganizationContext = createContext<CurrentOrganization | null>(null);

export const useCurrentOrganization = (): CurrentOrganization => {
  const organization = useContext(CurrentOrganizationContext);
  if (organization === null) throw new Error('No organization is selected');
  return organization;
};
