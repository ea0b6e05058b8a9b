import type { TechnicianDeviceResponse } from '@lintel/wire-protocol/admin/controller-details-for-technician';
import type { ListPageResponse } from '@lintel/wire-protocol/rest/list-page';
import { controllerSession } from '../api/controller-hooks.ts';
import { describeTechnicianApiError } from '../api/describe-api-error.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

export interface SiteWithControllers extends Named {
  /** Claimed controllers, which have a page. */
  readonly controllers: readonly TechnicianDeviceResponse[];
  /** Devices that a ticket can replace, claimed or not. */
  readonly devices: readonly Named[];
}

export interface OrganizationWithSites extends Named {
  readonly sites: readonly SiteWithControllers[];
}

/** Loads all pages of a list, or returns an error message. */
const loadAll = async <T>(path: string): Promise<readonly T[] | string> => {
  const all: T[] = [];
  for (let cursor = ''; ; ) {
    const result = await controllerSession.request<ListPageResponse<T>>({
      method: 'GET',
      path: `${path}?limit=100${cursor}`,
    });
    if (!result.ok) return describeTechnicianApiError(result.error);
    all.push(...result.value.data);
    if (!result.value.has_next) return all;
    cursor = `&cursor=${encodeURIComponent(result.value.cursor_next ?? '')}`;
  }
};

const loadOrganization = async ({ id, name }: Named): Promise<OrganizationWithSites | null> => {
  const [sites, devices, controllers] = await Promise.all([
    loadAll<Named>(`/organizations/${id}/sites`),
    loadAll<Named & { readonly site_id: string }>(`/organizations/${id}/devices`),
    loadAll<TechnicianDeviceResponse>(`/organizations/${id}/technician_devices`),
  ]);
  // Without technician permissions in this organization, a list is rejected.
  if (typeof sites === 'string' || typeof devices === 'string' || typeof controllers === 'string') return null;
  return {
    id,
    name,
    sites: sites.map(site => ({
      ...site,
      controllers: controllers.filter(({ site_id }) => site_id === site.id),
      devices: devices.filter(({ site_id }) => site_id === site.id),
    })),
  };
};

export const loadOrganizationsWithSites = async (): Promise<readonly OrganizationWithSites[] | string> => {
  const organizations = await loadAll<Named>('/organizations');
  if (typeof organizations === 'string') return organizations;
  return (await Promise.all(organizations.map(loadOrganization))).filter(organization => organization !== null);
};
