import { BlockList, isIP, isIPv4 } from 'node:net';
import { failed, ok, problem, type Result } from '@lintel/access-core/result';

/** Everything that is not the public internet (IANA's special-purpose registries). */
const notPublic = [
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
  // Addresses that carry an IPv4 address on to wherever a translator takes it.
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
export const parseRange = (text: string): Result<Range> => {
  const [, address = '', size] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const widest = isIPv4(address) ? 32 : 128;
  const bits = size === undefined ? widest : Number(size);
  if (isIP(address) === 0 || bits > widest) {
    return failed([problem('', 'invalid_range', `${text} is not an address range such as 10.0.0.0/8`)]);
  }
  return ok({ address, bits, family: widest === 32 ? 'ipv4' : 'ipv6' });
};

const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const text of ranges) {
    const range = parseRange(text);
    if (!range.ok) throw new Error(range.problems[0]?.message);
    list.addSubnet(range.value.address, range.value.bits, range.value.family);
  }
  return list;
};

/** In the one form that every spelling of an address has in common; an IPv4 address in IPv6's clothes is that address. */
const canonical = (address: string): string => {
  const plain = address.replace(/%.*$/, '').replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain) !== 6) return plain;
  const text = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
};

/** Which addresses may be called. An organization's administrator chooses the target, not the network it can reach. */
export class AddressGuard {
  readonly #refused = listOf(notPublic);
  readonly #allowed: BlockList;

  constructor(allowed: readonly string[]) {
    this.#allowed = listOf(allowed);
  }

  permits(address: string): boolean {
    const plain = canonical(address);
    if (isIP(plain) === 0) return false;
    const family = isIPv4(plain) ? 'ipv4' : 'ipv6';
    return this.#allowed.check(plain, family) || !this.#refused.check(plain, family);
  }
}
