import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deviceMayPublish, deviceMaySubscribe, gatewayMayPublish, gatewayMaySubscribe } from './topic-access.ts';
import {
  downKinds,
  downTopic,
  everyUpFilter,
  ownDownFilter,
  ownUpFilter,
  parseTopic,
  revokeTopic,
  type Topic,
  upKinds,
  upTopic,
} from './topics.ts';

const device = 'dev_1' as DeviceId;
const other = 'dev_2' as DeviceId;
const organization = 'org_1' as OrganizationId;

describe('topics', () => {
  it('have the documented form', () => {
    expect(upTopic(device, 'events')).toBe('lintel/v1/dev_1/up/events');
    expect(downTopic(device, 'slice')).toBe('lintel/v1/dev_1/down/slice');
    expect(revokeTopic(organization)).toBe('lintel/v1/org/org_1/down/revoke');
  });

  it('round-trip through their text', () => {
    for (const kind of upKinds) {
      expect(parseTopic(upTopic(device, kind))).toEqual({ direction: 'up', device_id: device, kind });
    }
    for (const kind of downKinds) {
      expect(parseTopic(downTopic(device, kind))).toEqual({ direction: 'down', device_id: device, kind });
    }
    expect(parseTopic(revokeTopic(organization))).toEqual({
      direction: 'organization',
      organization_id: organization,
      kind: 'revoke',
    });
  });

  it.each([
    '',
    '/',
    'lintel',
    'lintel/v1',
    'lintel/v1/',
    'lintel/v2/dev_1/up/hello',
    'lintel/v1/dev_1/up',
    'lintel/v1/dev_1/up/',
    'lintel/v1/dev_1/up/hello/',
    'lintel/v1/dev_1/up/hello/more',
    'lintel/v1//up/hello',
    'lintel/v1/dev_/up/hello',
    'lintel/v1/mem_1/up/hello',
    'lintel/v1/+/up/hello',
    'lintel/v1/dev_1/+/hello',
    'lintel/v1/dev_1/up/#',
    'lintel/v1/#',
    '#',
    'lintel/v1/dev_1/up/ack',
    'lintel/v1/dev_1/down/hello',
    'lintel/v1/dev_1/down/revoke',
    'lintel/v1/dev_1/up/constructor',
    'lintel/v1/org/org_1/up/revoke',
    'lintel/v1/org/org_1/down/slice',
    'lintel/v1/org/dev_1/down/revoke',
    'lintel/v1/org/+/down/revoke',
    ' lintel/v1/dev_1/up/hello',
    'LINTEL/v1/dev_1/up/hello',
    'lintel/v1/dev_1\n/up/hello',
    '$SYS/broker',
    '$share/g/lintel/v1/dev_1/up/hello',
  ])('do not include %j', text => {
    expect(parseTopic(text)).toBeNull();
  });

  const rebuilt = (topic: Topic): string => {
    if (topic.direction === 'organization') return revokeTopic(topic.organization_id);
    return topic.direction === 'up' ? upTopic(topic.device_id, topic.kind) : downTopic(topic.device_id, topic.kind);
  };

  it('have one canonical text', () => {
    const pieces = fc.constantFrom(
      'lintel',
      'v1',
      'dev_1',
      'org',
      'org_1',
      'up',
      'down',
      'hello',
      'ack',
      '+',
      '#',
      '',
      'revoke',
    );
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 7 }),
      fc.tuple(fc.constant('lintel'), fc.constant('v1'), pieces, pieces, pieces),
    );
    fc.assert(
      fc.property(texts, parts => {
        const topic = parseTopic(parts.join('/'));
        expect(topic === null ? null : rebuilt(topic)).toBe(topic === null ? null : parts.join('/'));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('topic access', () => {
  it('lets a device publish its own uplink topics only', () => {
    expect(deviceMayPublish(device, upTopic(device, 'hello'))).toBe(true);
    expect(deviceMayPublish(device, upTopic(other, 'hello'))).toBe(false);
    expect(deviceMayPublish(device, downTopic(device, 'ack'))).toBe(false);
    expect(deviceMayPublish(device, downTopic(other, 'action'))).toBe(false);
    expect(deviceMayPublish(device, revokeTopic(organization))).toBe(false);
  });

  it('lets a device subscribe to its own downlink topics and the revocations of its organization', () => {
    const may = (filter: string): boolean => deviceMaySubscribe(device, organization, filter);
    expect(may(ownDownFilter(device))).toBe(true);
    expect(may(downTopic(device, 'slice'))).toBe(true);
    expect(may(revokeTopic(organization))).toBe(true);
    for (const filter of [
      ownDownFilter(other),
      ownUpFilter(device),
      ownUpFilter(other),
      everyUpFilter,
      revokeTopic('org_2' as OrganizationId),
      'lintel/v1/+/down/#',
      'lintel/v1/dev_1/#',
      'lintel/v1/#',
      '#',
      `$share/all/${ownDownFilter(device)}`,
    ]) {
      expect([filter, may(filter)]).toEqual([filter, false]);
    }
  });

  it('lets a gateway publish and subscribe for its own devices only', () => {
    const gateway = 'dev_gateway' as DeviceId;
    const its = new Set([device]);
    for (const kind of upKinds) {
      expect(gatewayMayPublish(gateway, its, upTopic(gateway, kind))).toBe(true);
      expect([kind, gatewayMayPublish(gateway, its, upTopic(device, kind))]).toEqual([kind, kind !== 'presence']);
      expect(gatewayMayPublish(gateway, its, upTopic(other, kind))).toBe(false);
    }
    expect(gatewayMayPublish(gateway, its, downTopic(device, 'ack'))).toBe(false);
    expect(gatewayMayPublish(gateway, its, revokeTopic(organization))).toBe(false);
    const hears = (filter: string): boolean => gatewayMaySubscribe(gateway, its, organization, filter);
    for (const filter of [
      ownDownFilter(gateway),
      ownDownFilter(device),
      downTopic(device, 'ack'),
      revokeTopic(organization),
    ]) {
      expect([filter, hears(filter)]).toEqual([filter, true]);
    }
    const foreign = [ownDownFilter(other), downTopic(other, 'ack'), revokeTopic('org_2' as OrganizationId)];
    for (const filter of [...foreign, everyUpFilter, ownUpFilter(device), 'lintel/v1/+/down/#', '#']) {
      expect([filter, hears(filter)]).toEqual([filter, false]);
    }
  });
});
