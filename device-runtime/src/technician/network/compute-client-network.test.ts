import { describe, expect, it } from 'vitest';
import { computeClientNetwork } from './compute-client-network.ts';

describe('remoteNetwork', () => {
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
