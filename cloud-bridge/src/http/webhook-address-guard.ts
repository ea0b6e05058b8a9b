import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { failed, ok, createProblem, type Result } from '@lintel/access-core/result';

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
  // Public IPv6 addresses are in 2000::/3. The rest includes loopback, private, link-local and multicast addresses, and
  // the forms that embed an IPv4 address: compatible (::/96), translated (::ffff:0:0:0/96) and NAT64 (64:ff9b::/96).
  '::/3',
  '4000::/2',
  '8000::/1',
  // Teredo and other protocol assignments, then 6to4. Both embed an IPv4 address.
  '2001::/23',
  '2002::/16',
  '2001:db8::/32',
  '3fff::/20',
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
    return failed([createProblem('', 'invalid_range', `${text} is not an address range such as 10.0.0.0/8`)]);
  }
  return ok({ address, bits, family: maxBits === 32 ? 'ipv4' : 'ipv6' });
};

/** Normalizes the spelling of an address. An IPv4-mapped IPv6 address becomes the IPv4 address. */
const canonicalAddress = (address: string): string => {
  const plain = address.replace(/%.*$/, '').replace(/^\[(.*)\]$/, '$1');
  if (!isIPv6(plain)) return plain;
  const text = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(text) ?? [];
  if (high === undefined || low === undefined) return text;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
};

const MAX_PORT = 65_535;

/** `127.0.0.1:8080` or `[::1]:8080`, in canonical spelling; null for anything else. */
const parseEndpoint = (text: string): string | null => {
  const [, ipv6, ipv4, digits] = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (!isIPv6(ipv6 ?? '') && !isIPv4(ipv4 ?? '')) return null;
  return port >= 1 && port <= MAX_PORT ? toEndpoint(ipv6 ?? ipv4 ?? '', port) : null;
};

const toEndpoint = (address: string, port: number): string => `${canonicalAddress(address)} ${port}`;

/** An address range, a single address, or an address with a port. */
export const parseAllowedWebhookTarget = (text: string): Result<Range | { readonly endpoint: string }> => {
  const range = parseAddressRange(text);
  if (range.ok) return range;
  const endpoint = parseEndpoint(text);
  if (endpoint !== null) return ok({ endpoint });
  const message = `${text} is not an address range such as 10.0.0.0/8 or an address with a port such as 10.0.0.7:8080`;
  return failed([createProblem('', 'invalid_range', message)]);
};

/** Two lists, because a `BlockList` also applies IPv6 ranges to IPv4 addresses. */
class AddressRanges {
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  add({ address, bits, family }: Range): void {
    this.#lists[family].addSubnet(address, bits, family);
  }

  includes(address: string): boolean {
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    return this.#lists[family].check(address, family);
  }
}

const parseOrThrow = <T>(parsed: Result<T>): T => {
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.value;
};

/** Whether an address, in any spelling, is in one of the ranges, which were checked before. */
export const createAddressMatcher = (ranges: readonly string[]): ((address: string) => boolean) => {
  const known = new AddressRanges();
  for (const range of ranges) known.add(parseOrThrow(parseAddressRange(range)));
  return address => known.includes(canonicalAddress(address));
};

/** Resolves a host name to all its addresses. */
export type HostLookup = (
  hostname: string,
  options: LookupOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export const systemHostLookup: HostLookup = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, callback);

/** Blocks webhook calls to non-public addresses, because applications choose the URL (SSRF protection). */
export class WebhookAddressGuard {
  readonly #blocked = new AddressRanges();
  readonly #allowed = new AddressRanges();
  readonly #allowedEndpoints = new Set<string>();
  readonly #lookup: HostLookup;

  constructor(allowed: readonly string[], lookup: HostLookup = systemHostLookup) {
    this.#lookup = lookup;
    for (const text of nonPublicRanges) this.#blocked.add(parseOrThrow(parseAddressRange(text)));
    for (const text of allowed) {
      const target = parseOrThrow(parseAllowedWebhookTarget(text));
      if ('endpoint' in target) this.#allowedEndpoints.add(target.endpoint);
      else this.#allowed.add(target);
    }
  }

  isAllowed(address: string, port: number): boolean {
    const plain = canonicalAddress(address);
    if (isIP(plain) === 0) return false;
    if (!this.#blocked.includes(plain) || this.#allowed.includes(plain)) return true;
    return this.#allowedEndpoints.has(toEndpoint(plain, port));
  }

  /** Resolves a host name to the addresses that are allowed with this port. */
  resolve(
    hostname: string,
    port: number,
    options: LookupOptions,
    callback: (error: Error | null, addresses: readonly LookupAddress[]) => void,
  ): void {
    this.#lookup(hostname, options, (error, addresses) => {
      callback(error, error === null ? addresses.filter(({ address }) => this.isAllowed(address, port)) : []);
    });
  }

  /** False for a URL whose host is an address that is not allowed. Names are checked when they are resolved. */
  isUrlAllowed(url: string): boolean {
    const { hostname, port, protocol } = new URL(url);
    const isAddress = hostname.startsWith('[') || isIPv4(hostname);
    return !isAddress || this.isAllowed(hostname, Number(port) || (protocol === 'https:' ? 443 : 80));
  }
}
