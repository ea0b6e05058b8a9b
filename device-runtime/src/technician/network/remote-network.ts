import { isIPv4 } from 'node:net';

const groupsOf = (canonical: string): string[] => {
  const [head = '', tail] = canonical.split('::');
  const [before, behind] = [head, tail ?? ''].map(part => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? 0 : 8 - before!.length - behind!.length;
  return [...before!, ...Array.from({ length: zeros }, () => '0'), ...behind!];
};

/**
 * Whom a connection is counted for. A household of IPv6 has a whole /64 to come from; link-local addresses all have the
 * same one and are counted each for itself.
 */
export const remoteNetwork = (address: string | undefined): string => {
  const [bare = ''] = (address ?? '').split('%');
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(mapped) || !URL.canParse(`http://[${bare}]`)) return mapped;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  return canonical.startsWith('fe80:') ? canonical : `${groupsOf(canonical).slice(0, 4).join(':')}::/64`;
};
