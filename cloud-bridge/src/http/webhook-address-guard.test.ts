import { describe, expect, it } from 'vitest';
import { WebhookAddressGuard, parseAddressRange, parseAllowedWebhookTarget } from './webhook-address-guard.ts';

const guard = new WebhookAddressGuard([]);

describe('WebhookAddressGuard', () => {
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
    '64:ff9b::127.0.0.1',
    '64:ff9b:1::7f00:1',
    '::ffff:0:7f00:1',
    '::ffff:0:127.0.0.1',
    '::7f00:1',
    '2001::53aa:64c:0:7c4b:80ff:fffe',
    '2001:0:7f00:1::',
    '2002:7f00:1::',
    '2001:db8::1',
    '3fff::1',
    '100::1',
    '5f00::1',
    '4000::1',
    'fec0::1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '127.1',
    '2130706433',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '[::1]',
    'localhost',
    '',
  ])('rejects %j', address => {
    expect(guard.isAllowed(address, 443)).toBe(false);
  });

  it.each(['http://0177.0.0.1/', 'http://0x7f.1/', 'http://127.1/', 'http://2130706433/', 'http://127.0.0.1./'])(
    'rejects the host of %s',
    url => {
      expect(guard.isAllowed(new URL(url).hostname, 80)).toBe(false);
    },
  );

  it.each([
    '93.184.215.14',
    '172.32.0.1',
    '100.128.0.1',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    '::ffff:93.184.215.14',
  ])('permits %s', address => {
    expect(guard.isAllowed(address, 443)).toBe(true);
  });
});

describe('WebhookAddressGuard with an allowed range', () => {
  it('allows the range in every spelling, and nothing else', () => {
    const opened = new WebhookAddressGuard(['10.1.0.0/16', 'fd00::/8', '192.168.7.7']);
    for (const address of ['10.1.200.3', '::ffff:10.1.0.1', '::ffff:a01:1', 'fd00::5', '192.168.7.7']) {
      expect([address, opened.isAllowed(address, 443)]).toEqual([address, true]);
    }
    for (const address of ['10.2.0.1', 'fc00::1', '192.168.7.8', '127.0.0.1', '::1']) {
      expect([address, opened.isAllowed(address, 443)]).toEqual([address, false]);
    }
  });

  it.each(['10.0.0.0/33', 'fd00::/129', '10.0.0/8', 'home', '', '10.0.0.0/', '/8', '10.0.0.0/8/8'])(
    'rejects the range %j',
    text => {
      expect(parseAddressRange(text).ok).toBe(false);
    },
  );
});

describe('WebhookAddressGuard with an allowed address and port', () => {
  it('allows this port only', () => {
    const opened = new WebhookAddressGuard(['127.0.0.1:8123', '[::1]:8124']);
    expect(opened.isAllowed('127.0.0.1', 8123)).toBe(true);
    expect(opened.isAllowed('::ffff:7f00:1', 8123)).toBe(true);
    expect(opened.isAllowed('0:0:0:0:0:0:0:1', 8124)).toBe(true);
    expect(opened.isAllowed('127.0.0.1', 8124)).toBe(false);
    expect(opened.isAllowed('127.0.0.2', 8123)).toBe(false);
    expect(opened.isAllowed('::1', 8123)).toBe(false);
  });

  it.each(['10.0.0.0/8', 'fd00::/8', '192.168.7.7', '::1', '127.0.0.1:80', '[fd00::1]:65535'])('accepts %j', text => {
    expect(parseAllowedWebhookTarget(text).ok).toBe(true);
  });

  it.each(['127.0.0.1:0', '127.0.0.1:65536', '127.0.0.1:', '[::1]', 'localhost:80', '10.0.0.0/8:80', '[10.0.0.1]:80'])(
    'rejects %j',
    text => {
      expect(parseAllowedWebhookTarget(text).ok).toBe(false);
    },
  );
});
