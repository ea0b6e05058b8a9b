import type { DeviceStatus } from '@lintel/wire-protocol/rest/device';
import type { DeviceRow } from '../storage/schema.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';
import { isVirtualDevice } from './gateway-and-virtual-devices.ts';

const siteHasGateway = async ({ db, organizationId }: WriteContext, siteId: string): Promise<boolean> => {
  const gateway = await db
    .selectFrom('devices')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('site_id', '=', siteId)
    .where('product_id', '=', 'gateway')
    .where('is_deleted', '=', 0)
    .executeTakeFirst();
  return gateway !== undefined;
};

const isConnectedDirectly = ({ gateway_id, status }: DeviceRow): boolean =>
  gateway_id === null && (JSON.parse(status) as DeviceStatus).online;

/**
 * Why two devices of a site cannot reach each other without the internet; null if they can. The path of a controller
 * that is offline is unknown: then a gateway at the site is enough.
 */
export const findLocalReachabilityProblem = async (
  context: WriteContext,
  source: DeviceRow,
  target: DeviceRow,
): Promise<string | null> => {
  if (source.id === target.id) return null;
  const [isSourceVirtual, isTargetVirtual] = [isVirtualDevice(source), isVirtualDevice(target)];
  // The bridge runs all virtual devices.
  if (isSourceVirtual && isTargetVirtual) return null;
  if (isSourceVirtual || isTargetVirtual) return 'must be virtual if the source is virtual, and real if it is real';
  if (!(await siteHasGateway(context, source.site_id)))
    return 'must be on the same controller as the source, because the site has no gateway';
  for (const device of [source, target]) {
    if (!isConnectedDirectly(device)) continue;
    return `must be reachable within the site: device ${device.id} is connected to the bridge directly. Connect it to the gateway of the site`;
  }
  if (source.gateway_id !== null && target.gateway_id !== null && source.gateway_id !== target.gateway_id)
    return `must use the same gateway as the source: ${source.gateway_id}`;
  return null;
};
