import { X509Certificate } from 'node:crypto';
import type { RenewCertificateResponse } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import { verifyClientCertificate } from '@lintel/crypto/tls/certificate-chain';
import { ClaimOrRenewalError } from '../bridge-http/claim-or-renewal-error.ts';
import type { DeviceKeys } from './device-keys.ts';

const read = (pem: string): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new ClaimOrRenewalError('The bridge sent an unreadable certificate', false, null, { cause: error });
  }
};

export const isCertificateForKey = (certificate: string, { publicKey }: DeviceKeys): boolean =>
  read(certificate).publicKey.export({ format: 'jwk' }).x === publicKey;

/** Checks that the certificate matches the device key, the authority and the response. */
export const requireMatchingIssuedCertificate = (
  answer: RenewCertificateResponse,
  keys: DeviceKeys,
  now: number,
): void => {
  const own = read(answer.certificate);
  const shown = verifyClientCertificate([own], read(answer.ca_certificate), now);
  if (
    isCertificateForKey(answer.certificate, keys) &&
    shown?.commonName === answer.device_id &&
    shown.serial === answer.serial
  )
    return;
  throw new ClaimOrRenewalError('The bridge sent a certificate for another device', false);
};

export const isSameCertificate = (one: string, other: string): boolean => read(one).raw.equals(read(other).raw);
