import { isIP } from 'node:net';
import { TechnicianError } from '../errors/technician-error.ts';

/** `[::1]:8443` → `::1`, `door.local:8443` → `door.local`; null for what is no host. */
const hostOf = (header: string): string | null => {
  if (!URL.canParse(`https://${header}/`)) return null;
  const { host, hostname, username, password, pathname } = new URL(`https://${header}/`);
  if (username !== '' || password !== '' || pathname !== '/' || host === '') return null;
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
};

interface RequestHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/** Addresses cannot be rebound, other names can (DNS rebinding). */
export const checkHost = (headers: RequestHeaders, names: ReadonlySet<string>): void => {
  const host = hostOf(headers.host ?? '');
  if (host === null || (isIP(host) === 0 && !names.has(host)))
    throw new TechnicianError('forbidden', 'The controller is not called that: use its address or its own name');
};

/**
 * A page from elsewhere must not work with a technician's browser: neither by a name of its own that leads here (DNS
 * rebinding; addresses cannot be rebound), nor by asking us from its own address.
 */
export const checkOrigin = (headers: RequestHeaders, names: ReadonlySet<string>): void => {
  checkHost(headers, names);
  const { origin } = headers;
  const own = `https://${(headers.host ?? '').toLowerCase()}`;
  if (origin !== undefined && origin.toLowerCase() !== own && `${origin.toLowerCase()}:443` !== own)
    throw new TechnicianError('forbidden', 'A page from elsewhere must not ask the controller');
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site')
    throw new TechnicianError('forbidden', 'A page from elsewhere must not ask the controller');
};
