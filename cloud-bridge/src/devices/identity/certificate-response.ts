import type { RenewCertificateResponse } from '@lintel/wire-protocol/claiming/redeem-claim-and-renew-certificate';
import type { DeviceCertificateRow } from '../../storage/device-schema.ts';

export type BrokerAddresses = RenewCertificateResponse['brokers'];

/** Response to a claim and to a renewal. */
export const toCertificateResponse = (
  row: DeviceCertificateRow,
  caCertificate: string,
  brokers: BrokerAddresses,
): RenewCertificateResponse => ({
  v: 1,
  device_id: row.device_id as RenewCertificateResponse['device_id'],
  serial: row.serial,
  certificate: `${row.certificate}\n${caCertificate}`,
  ca_certificate: caCertificate,
  renew_after: Math.floor((row.created_at + row.expires_at) / 2) as RenewCertificateResponse['renew_after'],
  expires_at: row.expires_at as RenewCertificateResponse['expires_at'],
  brokers,
});
