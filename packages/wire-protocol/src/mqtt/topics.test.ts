import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  downlinkMessageKinds,
  buildDownlinkTopic,
  parseMqttTopic,
  buildRevocationTopic,
  type MqttTopic,
  uplinkMessageKinds,
  buildUplinkTopic,
} from './topics.ts';

const device = 'dev_1' as DeviceId;
const organization = 'org_1' as OrganizationId;

describe('topics', () => {
  it('have the documented form', () => {
    expect(buildUplinkTopic(device, 'events')).toBe('lintel/v1/dev_1/up/events');
    expect(buildDownlinkTopic(device, 'snapshot')).toBe('lintel/v1/dev_1/down/snapshot');
    expect(buildRevocationTopic(organization)).toBe('lintel/v1/org/org_1/down/revoke');
  });

  it('round-trip through their text', () => {
    for (const kind of uplinkMessageKinds) {
      expect(parseMqttTopic(buildUplinkTopic(device, kind))).toEqual({ direction: 'up', device_id: device, kind });
    }
    for (const kind of downlinkMessageKinds) {
      expect(parseMqttTopic(buildDownlinkTopic(device, kind))).toEqual({ direction: 'down', device_id: device, kind });
    }
    expect(parseMqttTopic(buildRevocationTopic(organization))).toEqual({
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
    'lintel/v1/org/org_1/down/snapshot',
    'lintel/v1/org/dev_1/down/revoke',
    'lintel/v1/org/+/down/revoke',
    ' lintel/v1/dev_1/up/hello',
    'LINTEL/v1/dev_1/up/hello',
    'lintel/v1/dev_1\n/up/hello',
    '$SYS/broker',
    '$share/g/lintel/v1/dev_1/up/hello',
  ])('do not include %j', text => {
    expect(parseMqttTopic(text)).toBeNull();
  });

  const rebuilt = (topic: MqttTopic): string => {
    if (topic.direction === 'organization') return buildRevocationTopic(topic.organization_id);
    return topic.direction === 'up'
      ? buildUplinkTopic(topic.device_id, topic.kind)
      : buildDownlinkTopic(topic.device_id, topic.kind);
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
        const topic = parseMqttTopic(parts.join('/'));
        expect(topic === null ? null : rebuilt(topic)).toBe(topic === null ? null : parts.join('/'));
      }),
      { numRuns: 2000 },
    );
  });
});
