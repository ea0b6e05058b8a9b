import { getUrlHost, isLoopbackAddress } from '../tls/loopback-address.ts';
import { ClaimOrRenewalError } from './claim-or-renewal-error.ts';

export const buildBridgeUrl = (bridgeUrl: string, path: string): URL => {
  const address = URL.parse(path, bridgeUrl.endsWith('/') ? bridgeUrl : `${bridgeUrl}/`);
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new ClaimOrRenewalError(
      `${bridgeUrl} is not a valid bridge URL. Use a URL such as https://doors.example.com`,
      true,
    );
  }
  return address;
};

export const requireTlsUnlessLoopback = (address: URL): void => {
  if (address.protocol === 'https:' || (address.protocol === 'http:' && isLoopbackAddress(getUrlHost(address)))) return;
  throw new ClaimOrRenewalError(`${address.origin} is not https. A bridge on another machine requires TLS`, true);
};
