import { isIPv4 } from 'node:net';

const groupsOf = (canonical: string): string[] => {
  const [head = '', tail] = canonical.split('::');
  const [before, behind] = [head, tail ?? ''].map(part => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - before!.length - behind!.length;
  return [...before!, ...Array.from({ length: zeros }, () => '0'), ...behind!];
};

/**
 * The network that a connection counts for: an IPv6 client has a whole /64, but all link-local addresses share one and
 * count individually.
 */
export const computeClientNetwork = (address: string | undefined): string => {
  const [bare = ''] = (address ?? '').split('%');
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(mapped) || !URL.canParse(`http://[${bare}]`)) return mapped;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return canonical.startsWith('fe80:') ? canonical : `${groupsOf(canonical).slice(0, 4).join(':')}::/64`;
};
