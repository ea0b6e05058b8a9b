import { describe, expect, it } from 'vitest';
import { AddressGuard, parseAddressRange } from './address-guard.ts';

const guard = new AddressGuard([]);

describe('AddressGuard', () => {
  it.each([
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '[::1]',
    'localhost',
    '',
  ])('rejects %j', address => {
    expect(guard.isAllowed(address)).toBe(false);
  });

  it.each([
    '93.184.215.14',
    '172.32.0.1',
    '100.128.0.1',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    '::ffff:93.184.215.14',
  ])('permits %s', address => {
    expect(guard.isAllowed(address)).toBe(true);
  });
});

describe('AddressGuard with an allowed range', () => {
  it('allows the range in every spelling, and nothing else', () => {
    const opened = new AddressGuard(['10.1.0.0/16', 'fd00::/8', '192.168.7.7']);
    for (const address of ['10.1.200.3', '::ffff:10.1.0.1', '::ffff:a01:1', 'fd00::5', '192.168.7.7']) {
      expect([address, opened.isAllowed(address)]).toEqual([address, true]);
    }
    for (const address of ['10.2.0.1', 'fc00::1', '192.168.7.8', '127.0.0.1', '::1']) {
      expect([address, opened.isAllowed(address)]).toEqual([address, false]);
    }
  });

  it.each(['10.0.0.0/33', 'fd00::/129', '10.0.0/8', 'home', '', '10.0.0.0/', '/8', '10.0.0.0/8/8'])(
    'rejects the range %j',
    text => {
      expect(parseAddressRange(text).ok).toBe(false);
    },
  );
});
