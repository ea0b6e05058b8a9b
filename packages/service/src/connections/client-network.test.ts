import { describe, expect, it } from 'vitest';
import { computeClientNetwork, listClientNetworks } from './client-network.ts';

describe('computeClientNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::2%eth0', 'fe80::2'],
    [undefined, ''],
  ])('counts %s as %s', (address, network) => {
    expect(computeClientNetwork(address)).toBe(network);
  });
});

describe('listClientNetworks', () => {
  it('lists the larger networks of an IPv6 address', () => {
    expect(listClientNetworks('2001:db8:1:12ab::7')).toEqual([
      '2001:db8:1:12ab::/64',
      '2001:db8:1:1200::/56',
      '2001:db8:1::/48',
    ]);
    expect(listClientNetworks('192.0.2.7')).toEqual(['192.0.2.7']);
    expect(listClientNetworks('fe80::1%eth0')).toEqual(['fe80::1']);
  });
});
