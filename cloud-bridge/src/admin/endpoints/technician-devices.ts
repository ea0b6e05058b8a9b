import { technicianDeviceResponseSchema } from '@lintel/wire-protocol/admin/controller-details-for-technician';
import { type AdminEndpoint, ORGANIZATION_PATH_PREFIX } from '../admin-endpoint.ts';
import { defineAdminListEndpoint, fetchPageRows } from '../paginated-list-endpoint.ts';
import { GATEWAY_PRODUCT_ID } from '../../resources/gateway-and-virtual-devices.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { BlockList, isIP } from 'node:net';

const localAddresses = new BlockList();
for (const [address, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  localAddresses.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  localAddresses.addSubnet(address, bits, 'ipv6');

const isLocalHost = (host: string): boolean => {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || /^[a-z0-9-]+\.local$/.test(host);
  return localAddresses.check(host, family === 4 ? 'ipv4' : 'ipv6');
};

/**
 * Returns the origin of a page on the local network of a site; null for any other text. Controllers report the addresses
 * of their technician pages, and technicians must not be sent anywhere else.
 */
const parseLocalPageOrigin = (text: string | null): string | null => {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, username, password, hostname, pathname, search, hash, origin } = new URL(text);
  const isPlain = username === '' && password === '' && pathname === '/' && search === '' && hash === '';
  return protocol === 'https:' && isPlain && isLocalHost(hostname.replace(/^\[(.*)\]$/, '$1')) ? origin : null;
};

/** Unclaimed controllers have no connection, and gateways have no technician page. */
const claimedControllers = ({ storage }: BridgeServices, organizationId: string) =>
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
    .where('d.is_deleted', '=', 0)
    .where('d.product_id', '!=', GATEWAY_PRODUCT_ID);

/** The controllers that a technician can open, on the local network or remotely. */
export const createTechnicianDeviceEndpoints = (services: BridgeServices): AdminEndpoint[] => [
  defineAdminListEndpoint({
    requiredPermission: 'input_rules.write',
    path: `${ORGANIZATION_PATH_PREFIX}/technician_devices`,
    tag: 'Devices',
    summary: 'List the claimed controllers with the local addresses of their technician pages',
    response: technicianDeviceResponseSchema,
    name: 'technician devices',
    filters: { site_id: 'Only controllers at this site' },
    read: ({ organizationId, siteIds }, page) => {
      const { site_id } = page.filters;
      let rows = claimedControllers(services, organizationId);
      if (siteIds !== null) rows = rows.where('d.site_id', 'in', [...siteIds, '']);
      if (site_id !== undefined) rows = rows.where('d.site_id', '=', site_id);
      return fetchPageRows(rows, 'd.id', page);
    },
    idOf: ({ device_id }) => device_id,
    toObject: ({ status, ...row }) => ({
      ...row,
      online: (JSON.parse(status) as { online: boolean }).online,
      local_url: parseLocalPageOrigin(row.local_url),
      local_address: parseLocalPageOrigin(row.local_address),
    }),
  }),
];
