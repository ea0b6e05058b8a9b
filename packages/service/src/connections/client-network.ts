import { isIPv4 } from 'node:net';

const groupsOf = (canonical: string): string[] => {
  const [head = '', tail] = canonical.split('::');
  const [before, behind] = [head, tail ?? ''].map(part => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - before!.length - behind!.length;
  return [...before!, ...Array.from({ length: zeros }, () => '0'), ...behind!];
};

const withoutLowBits = (group: string, bits: number): string =>
  ((Number.parseInt(group, 16) >> bits) << bits).toString(16);

/**
 * The networks that an address counts for, smallest first. One IPv6 client has a whole /64, and providers assign up to a /48. All
 * link-local addresses share one /64 and count individually.
 */
export const listClientNetworks = (address: string | undefined): readonly [string, ...string[]] => {
  const [bare = ''] = (address ?? '').split('%');
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(mapped) || !URL.canParse(`http://[${bare}]`)) return [mapped];
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  if (canonical.startsWith('fe80:')) return [canonical];
  const [a = '0', b = '0', c = '0', d = '0'] = groupsOf(canonical);
  return [`${a}:${b}:${c}:${d}::/64`, `${a}:${b}:${c}:${withoutLowBits(d, 8)}::/56`, `${a}:${b}:${c}::/48`];
};

export const CLIENT_NETWORK_LEVELS = 3;

/** The limit of a network of this level, as a multiple of that of the smallest: a /56 or /48 contains many clients, but also the
 * addresses of one attacker. */
export const computeNetworkShare = (level: number): number => 2 ** level;

/** The smallest of these networks. */
export const computeClientNetwork = (address: string | undefined): string => listClientNetworks(address)[0];
