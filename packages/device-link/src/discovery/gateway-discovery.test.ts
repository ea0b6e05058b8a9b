import { describe, expect, it } from 'vitest';
import { parseGatewayAnnouncement } from './gateway-discovery.ts';

const txt = { v: '1', device: 'dev_g', organization: 'org_1', tunnel: '8884' };

describe('gateway announced by mDNS', () => {
  it('is tried under each of its addresses', () => {
    const found = parseGatewayAnnouncement({ port: 8883, addresses: ['fe80::1', '2001:db8::5', '192.168.1.5'], txt });
    expect(found).toEqual({
      deviceId: 'dev_g',
      organizationId: 'org_1',
      urls: ['mqtts://192.168.1.5:8883', 'mqtts://[2001:db8::5]:8883'],
      proxies: ['http://192.168.1.5:8884', 'http://[2001:db8::5]:8884'],
    });
  });

  it('is ignored when it has another version or no description', () => {
    expect(parseGatewayAnnouncement({ port: 8883, addresses: ['10.0.0.1'], txt: { ...txt, v: '2' } })).toBeNull();
    expect(parseGatewayAnnouncement({ port: 8883, addresses: ['10.0.0.1'], txt: {} })).toBeNull();
    expect(parseGatewayAnnouncement({ port: 8883 })).toBeNull();
  });

  it('may have no proxy to the bridge, or an invalid one', () => {
    const { tunnel: _, ...without } = txt;
    expect(parseGatewayAnnouncement({ port: 1, addresses: ['10.0.0.1'], txt: without })?.proxies).toEqual([]);
    expect(
      parseGatewayAnnouncement({ port: 1, addresses: ['10.0.0.1'], txt: { ...txt, tunnel: 'x@y' } })?.proxies,
    ).toEqual([]);
  });
});
