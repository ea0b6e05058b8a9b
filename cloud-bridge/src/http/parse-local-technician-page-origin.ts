import { BlockList, isIP } from 'node:net';

const localAddresses = new BlockList();
for (const [address, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  localAddresses.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  localAddresses.addSubnet(address, bits, 'ipv6');

const isLocalHost = (host: string): boolean => {
  const family = isIP(host);
  if (family === 0) return host === 'localhost' || /^[a-z0-9-]+\.local$/.test(host);
  return localAddresses.check(host, family === 4 ? 'ipv4' : 'ipv6');
};

/**
 * Returns the origin of a page on the local network of a site; null for any other text. Controllers report the addresses
 * of their technician pages, and technicians must not be sent anywhere else.
 */
export const parseLocalPageOrigin = (text: string | null): string | null => {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, username, password, hostname, pathname, search, hash, origin } = new URL(text);
  const isPlain = username === '' && password === '' && pathname === '/' && search === '' && hash === '';
  return protocol === 'https:' && isPlain && isLocalHost(hostname.replace(/^\[(.*)\]$/, '$1')) ? origin : null;
};
