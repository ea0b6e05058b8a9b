import { hostOf, isLoopback } from '../tls/loopback.ts';
import { ClaimError } from './claim-error.ts';

export const bridgeAddress = (bridgeUrl: string, path: string): URL => {
  const address = URL.parse(path, bridgeUrl.endsWith('/') ? bridgeUrl : `${bridgeUrl}/`);
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new ClaimError(`${bridgeUrl} is no address of a bridge, such as https://doors.example.com`, true);
  }
  return address;
};

export const refuseStrangerWithoutTls = (address: URL): void => {
  if (address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(hostOf(address)))) return;
  throw new ClaimError(`${address.origin} is not https: without TLS a bridge is believed on this machine only`, true);
};
