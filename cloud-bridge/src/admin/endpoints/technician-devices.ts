import { technicianDeviceAnswer } from '@lintel/wire-protocol/admin/technician-device';
import { type AdminEndpoint, ORGANIZATION } from '../admin-endpoint.ts';
import { adminList, pageRows } from '../paging.ts';
import type { Services } from '../../services.ts';

/** Controllers that have been claimed: the others have no page to speak of, and no line. */
const claimed = ({ storage }: Services, organizationId: string) =>
  storage.reader
    .selectFrom('devices as d')
    .innerJoin('device_links as l', 'l.device_id', 'd.id')
    .innerJoin('sites as s', 's.id', 'd.site_id')
    .leftJoin('technician_pages as p', 'p.device_id', 'd.id')
    .select([
      'd.id as device_id',
      'd.name as name',
      'd.site_id as site_id',
      's.name as site_name',
      'd.product_id as product_id',
      'd.status as status',
      'l.firmware as firmware',
      'p.name as local_name',
      'p.url as local_url',
      'p.address as local_address',
      'p.fingerprint as technician_fingerprint',
    ])
    .where('d.organization_id', '=', organizationId)
    .where('d.is_deleted', '=', 0);

/** The controllers that a technician may choose: by local name at the door, or remotely. */
export const technicianDeviceEndpoints = (services: Services): AdminEndpoint[] => [
  adminList({
    needs: 'input_rules.write',
    path: `${ORGANIZATION}/technician_devices`,
    tag: 'Devices',
    summary: 'List the claimed controllers, with where their technician pages are on their sites',
    answer: technicianDeviceAnswer,
    name: 'technician devices',
    filters: { site_id: 'Only those of this site' },
    read: ({ organizationId, siteIds }, page) => {
      const { site_id } = page.filters;
      let rows = claimed(services, organizationId);
      if (siteIds !== null) rows = rows.where('d.site_id', 'in', [...siteIds, '']);
      if (site_id !== undefined) rows = rows.where('d.site_id', '=', site_id);
      return pageRows(rows, 'd.id', page);
    },
    idOf: ({ device_id }) => device_id,
    toObject: ({ status, ...row }) => ({ ...row, online: (JSON.parse(status) as { online: boolean }).online }),
  }),
];
