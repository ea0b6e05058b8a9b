import { isIP } from 'node:net';
import { parseHostHeader } from '@lintel/service/http/request-host';
import { TechnicianRequestError } from '../errors/technician-request-error.ts';

interface RequestHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/** Prevents DNS rebinding: only IP addresses and own names are accepted. */
export const checkHostHeader = (headers: RequestHeaders, names: ReadonlySet<string>): void => {
  const host = parseHostHeader(headers.host);
  if (host === null || (isIP(host) === 0 && !names.has(host)))
    throw new TechnicianRequestError('forbidden', 'Unknown host name: use the address or the name of the controller');
};

/**
 * Pages of other origins must not use a technician's browser: neither by DNS rebinding, nor by cross-origin requests.
 */
export const checkOriginHeader = (headers: RequestHeaders, names: ReadonlySet<string>): void => {
  checkHostHeader(headers, names);
  const { origin } = headers;
  const ownOrigin = `https://${(headers.host ?? '').toLowerCase()}`;
  if (origin !== undefined && origin.toLowerCase() !== ownOrigin && `${origin.toLowerCase()}:443` !== ownOrigin)
    throw new TechnicianRequestError('forbidden', 'Cross-origin requests are not allowed');
  const site = headers['sec-fetch-site'];
  if (site === 'cross-site' || site === 'same-site')
    throw new TechnicianRequestError('forbidden', 'Cross-origin requests are not allowed');
};
