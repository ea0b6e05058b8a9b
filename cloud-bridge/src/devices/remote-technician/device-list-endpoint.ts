import { technicianDeviceAnswer } from '@lintel/wire-protocol/admin/technician-device';
import { pageOf } from '@lintel/wire-protocol/rest/list-page';
import { adminEndpoint, type AdminEndpoint, ORGANIZATION } from '../../admin/admin-endpoint.ts';
import { pageById, pageParameters } from '../../admin/paging.ts';
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

/** What a technician chooses from: those at the door by their local names, and those from afar. */
export const technicianDeviceEndpoints = (services: Services): AdminEndpoint[] => [
  adminEndpoint({
    needs: 'input_rules.write',
    method: 'GET',
    path: `${ORGANIZATION}/technician_devices`,
    tag: 'Devices',
    summary: 'List the claimed controllers, with where their technician pages are on their sites',
    answer: pageOf(technicianDeviceAnswer),
    query: { ...pageParameters, site_id: 'Only those of this site' },
    handle: ({ caller, query }) =>
      pageById(query, {
        name: `technician devices of ${caller.organizationId} ${caller.siteIds?.join(' ') ?? ''}`,
        filters: ['site_id'],
        read: ({ before, count, filters: { site_id } }) => {
          let rows = claimed(services, caller.organizationId);
          if (caller.siteIds !== null) rows = rows.where('d.site_id', 'in', [...caller.siteIds, '']);
          if (site_id !== undefined) rows = rows.where('d.site_id', '=', site_id);
          if (before !== null) rows = rows.where('d.id', '<', before);
          return rows.orderBy('d.id', 'desc').limit(count).execute();
        },
        idOf: ({ device_id }) => device_id,
        toObject: ({ status, ...row }) => ({ ...row, online: (JSON.parse(status) as { online: boolean }).online }),
      }),
  }),
];
