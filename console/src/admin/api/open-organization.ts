import type { AdministeredOrganizationResponse } from '@lintel/wire-protocol/admin/organization';
import type { AdminPermission } from '@lintel/wire-protocol/admin/permission';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AdminSession } from './session.ts';
import { OrganizationClient } from './organization-client.ts';

/** The organization that the page shows, with what the user may do in it. */
export interface OpenOrganization {
  readonly session: AdminSession;
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly client: OrganizationClient;
  readonly allows: (permission: AdminPermission) => boolean;
}

export const toOpenOrganization = (
  session: AdminSession,
  response: AdministeredOrganizationResponse,
): OpenOrganization => {
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

export const OpenOrganizationContext = createContext<OpenOrganization | null>(null);

export const useOpenOrganization = (): OpenOrganization => {
  const organization = useContext(OpenOrganizationContext);
  if (organization === null) throw new Error('No organization is selected');
  return organization;
};
