import { BlockList, isIP, isIPv4 } from 'node:net';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';

/** IANA's special-purpose registries: everything that is not the public internet. */
const nonPublicRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  // IPv6 addresses that embed an IPv4 address and are translated to it.
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/23',
  '2002::/16',
  '100::/64',
  '2001:db8::/32',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

interface Range {
  readonly address: string;
  readonly bits: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** `10.0.0.0/8`, `fd00::/8`, or a single address. */
export const parseAddressRange = (text: string): Result<Range> => {
  const [, address = '', size] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const maxBits = isIPv4(address) ? 32 : 128;
  const bits = size === undefined ? maxBits : Number(size);
  if (isIP(address) === 0 || bits > maxBits) {
    return failed([problem('', 'invalid_range', `${text} is not an address range such as 10.0.0.0/8`)]);
  }
  return ok({ address, bits, family: maxBits === 32 ? 'ipv4' : 'ipv6' });
};

const toBlockList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseAddressRange(text);
    if (!range.ok) throw new Error(range.problems[0]?.message);
    list.addSubnet(range.value.address, range.value.bits, range.value.family);
  }
  return list;
};

/** Normalizes the spelling of an address. An IPv4-mapped IPv6 address becomes the IPv4 address. */
const canonicalAddress = (address: string): string => {
  const plain = address.replace(/%.*$/, '').replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain) !== 6) return plain;
  const text = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
};

/** Blocks webhook calls to non-public addresses, because administrators choose the URL (SSRF protection). */
export class AddressGuard {
  readonly #blocked = toBlockList(nonPublicRanges);
  readonly #allowed: BlockList;

  constructor(allowed: readonly string[]) {
    this.#allowed = toBlockList(allowed);
  }

  isAllowed(address: string): boolean {
    const plain = canonicalAddress(address);
    if (isIP(plain) === 0) return false;
    const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
    return this.#allowed.check(plain, family) || !this.#blocked.check(plain, family);
  }
}
