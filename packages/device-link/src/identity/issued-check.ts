import { X509Certificate } from 'node:crypto';
import type { Renewed } from '@lintel/wire-protocol/claiming/redemption';
import { judgeClient } from '@lintel/crypto/tls/server-chain';
import { ClaimError } from '../bridge-http/claim-error.ts';
import type { DeviceKeys } from './device-keys.ts';

const read = (pem: string): X509Certificate => {
  try {
    return new X509Certificate(pem);
  } catch (error) {
    throw new ClaimError('The bridge has sent a certificate that cannot be read', false, null, { cause: error });
  }
};

export const isForKey = (certificate: string, { publicKey }: DeviceKeys): boolean =>
  read(certificate).publicKey.export({ format: 'jwk' }).x === publicKey;

/** What has been issued is for this device's own key, by the authority beside it, and is what the answer says it is. */
export const checkIssued = (answer: Renewed, keys: DeviceKeys, now: number): void => {
  const own = read(answer.certificate);
  const shown = judgeClient([own], read(answer.ca_certificate), now);
  if (isForKey(answer.certificate, keys) && shown?.commonName === answer.device_id && shown.serial === answer.serial)
    return;
  throw new ClaimError('The bridge has sent a certificate that is not for this device', false);
};

export const isSameCertificate = (one: string, other: string): boolean => read(one).raw.equals(read(other).raw);
