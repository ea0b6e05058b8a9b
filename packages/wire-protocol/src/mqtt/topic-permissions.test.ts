import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { describe, expect, it } from 'vitest';
import { canDevicePublish, canDeviceSubscribe, canGatewayPublish, canGatewaySubscribe } from './topic-permissions.ts';
import {
  buildDownlinkTopic,
  allUplinksFilter,
  buildDeviceDownlinkFilter,
  buildDeviceUplinkFilter,
  buildRevocationTopic,
  uplinkMessageKinds,
  buildUplinkTopic,
} from './topics.ts';

const device = 'dev_1' as DeviceId;
const other = 'dev_2' as DeviceId;
const organization = 'org_1' as OrganizationId;

describe('topic access', () => {
  it('lets a device publish its own uplink topics only', () => {
    expect(canDevicePublish(device, buildUplinkTopic(device, 'hello'))).toBe(true);
    expect(canDevicePublish(device, buildUplinkTopic(other, 'hello'))).toBe(false);
    expect(canDevicePublish(device, buildDownlinkTopic(device, 'ack'))).toBe(false);
    expect(canDevicePublish(device, buildDownlinkTopic(other, 'action'))).toBe(false);
    expect(canDevicePublish(device, buildRevocationTopic(organization))).toBe(false);
  });

  it('lets a device subscribe to its own downlink topics and the revocations of its organization', () => {
    const may = (filter: string): boolean => canDeviceSubscribe(device, organization, filter);
    expect(may(buildDeviceDownlinkFilter(device))).toBe(true);
    expect(may(buildDownlinkTopic(device, 'snapshot'))).toBe(true);
    expect(may(buildRevocationTopic(organization))).toBe(true);
    for (const filter of [
      buildDeviceDownlinkFilter(other),
      buildDeviceUplinkFilter(device),
      buildDeviceUplinkFilter(other),
      allUplinksFilter,
      buildRevocationTopic('org_2' as OrganizationId),
      'lintel/v1/+/down/#',
      'lintel/v1/dev_1/#',
      'lintel/v1/#',
      '#',
      `$share/all/${buildDeviceDownlinkFilter(device)}`,
    ]) {
      expect([filter, may(filter)]).toEqual([filter, false]);
    }
  });

  it('lets a gateway publish and subscribe for its own devices only', () => {
    const gateway = 'dev_gateway' as DeviceId;
    const its = new Set([device]);
    for (const kind of uplinkMessageKinds) {
      expect(canGatewayPublish(gateway, its, buildUplinkTopic(gateway, kind))).toBe(true);
      expect([kind, canGatewayPublish(gateway, its, buildUplinkTopic(device, kind))]).toEqual([
        kind,
        kind !== 'connected-devices',
      ]);
      expect(canGatewayPublish(gateway, its, buildUplinkTopic(other, kind))).toBe(false);
    }
    expect(canGatewayPublish(gateway, its, buildDownlinkTopic(device, 'ack'))).toBe(false);
    expect(canGatewayPublish(gateway, its, buildRevocationTopic(organization))).toBe(false);
    const hears = (filter: string): boolean => canGatewaySubscribe(gateway, its, organization, filter);
    for (const filter of [
      buildDeviceDownlinkFilter(gateway),
      buildDeviceDownlinkFilter(device),
      buildDownlinkTopic(device, 'ack'),
      buildRevocationTopic(organization),
    ]) {
      expect([filter, hears(filter)]).toEqual([filter, true]);
    }
    const foreign = [
      buildDeviceDownlinkFilter(other),
      buildDownlinkTopic(other, 'ack'),
      buildRevocationTopic('org_2' as OrganizationId),
    ];
    for (const filter of [...foreign, allUplinksFilter, buildDeviceUplinkFilter(device), 'lintel/v1/+/down/#', '#']) {
      expect([filter, hears(filter)]).toEqual([filter, false]);
    }
  });
});
