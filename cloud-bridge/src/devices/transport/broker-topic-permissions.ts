import type { DeviceId } from '@lintel/access-core/ids';
import {
  canDevicePublish,
  canDeviceSubscribe,
  canGatewayPublish,
  canGatewaySubscribe,
} from '@lintel/wire-protocol/mqtt/topic-permissions';
import { buildDeviceUplinkFilter, type DownlinkMessageKind, parseMqttTopic } from '@lintel/wire-protocol/mqtt/topics';
import type { AuthenticatedDevice } from '../identity/device-authentication.ts';

/** Returns the current devices of a gateway's site, including those claimed after it connected. */
export type GatewaySiteDevicesLookup = (gateway: DeviceId) => ReadonlySet<DeviceId>;

/** Whether the bridge sends messages of this kind to the device through this gateway. */
export type GatewayRouteCheck = (gateway: DeviceId, device: DeviceId, kind: DownlinkMessageKind) => boolean;

/** A device publishes on its own topics. Unknown topics of newer firmware are accepted here and dropped later. */
export const canDeviceOrGatewayPublish = (
  identity: AuthenticatedDevice,
  siteDevicesOf: GatewaySiteDevicesLookup,
  topic: string,
): boolean => {
  const { deviceId, siteDevices } = identity;
  if (canDevicePublish(deviceId, topic) || topic.startsWith(buildDeviceUplinkFilter(deviceId).slice(0, -1)))
    return true;
  return (
    siteDevices !== null &&
    (canGatewayPublish(deviceId, siteDevices, topic) || canGatewayPublish(deviceId, siteDevicesOf(deviceId), topic))
  );
};

export const canDeviceOrGatewaySubscribe = (
  identity: AuthenticatedDevice,
  siteDevicesOf: GatewaySiteDevicesLookup,
  filter: string,
): boolean => {
  const { deviceId, organizationId, siteDevices } = identity;
  if (siteDevices === null) return canDeviceSubscribe(deviceId, organizationId, filter);
  return [siteDevices, siteDevicesOf(deviceId)].some(devices =>
    canGatewaySubscribe(deviceId, devices, organizationId, filter),
  );
};

/**
 * A gateway may subscribe for every device of its site, because it does so before it forwards the hello. It gets messages
 * only for devices that the bridge reaches through it.
 */
export const canDeviceOrGatewayReceive = (
  { deviceId, siteDevices }: AuthenticatedDevice,
  isRoutedThrough: GatewayRouteCheck,
  topic: string,
): boolean => {
  if (siteDevices === null) return true;
  const parsed = parseMqttTopic(topic);
  if (parsed === null || parsed.direction === 'up') return false;
  if (parsed.direction === 'organization' || parsed.device_id === deviceId) return true;
  return isRoutedThrough(deviceId, parsed.device_id, parsed.kind);
};
