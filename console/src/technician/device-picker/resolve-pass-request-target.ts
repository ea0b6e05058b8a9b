import type { TechnicianDeviceResponse } from '@lintel/wire-protocol/admin/controller-details-for-technician';
import type { TechnicianPassRequest } from '../pass/pass-request-urls.ts';
import type { OrganizationWithSites } from './load-organizations-with-sites.ts';

type Controller = Pick<TechnicianDeviceResponse, 'device_id' | 'name' | 'site_id' | 'site_name'>;

export type TechnicianPassRequestTarget =
  | {
      readonly kind: 'ready';
      readonly organizationId: string;
      readonly controller: Controller;
      readonly origin: string;
    }
  | { readonly kind: 'unknown_controller' }
  /** `origins`: where the controller has reported its page. */
  | { readonly kind: 'unknown_address'; readonly controller: Controller; readonly origins: readonly string[] };

/** The addresses of its page that the controller has reported. The bridge lists only those on a local network. */
const listReportedOrigins = ({
  local_url,
  local_address,
}: Pick<TechnicianDeviceResponse, 'local_url' | 'local_address'>): readonly string[] =>
  [local_url, local_address].filter(one => one !== null);

/** A pass is sent only to an address that its controller has reported. */
export const resolveTechnicianPassRequestTarget = (
  organizations: readonly OrganizationWithSites[],
  { device_id, return_to }: TechnicianPassRequest,
): TechnicianPassRequestTarget => {
  const found = organizations
    .flatMap(({ id, sites }) => sites.flatMap(site => site.controllers.map(controller => ({ id, controller }))))
    .find(({ controller }) => controller.device_id === device_id);
  if (found === undefined) return { kind: 'unknown_controller' };
  const { id: organizationId, controller } = found;
  const origins = listReportedOrigins(controller);
  const origin = origins.find(one => one === return_to);
  return origin === undefined
    ? { kind: 'unknown_address', controller, origins }
    : { kind: 'ready', organizationId, controller, origin };
};
