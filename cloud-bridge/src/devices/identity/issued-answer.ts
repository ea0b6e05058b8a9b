import type { Renewed } from '@lintel/wire-protocol/claiming/redemption';
import type { DeviceCertificateRow } from '../../storage/device-schema.ts';

/** Where controllers find their broker. */
export type BrokerAddresses = Renewed['brokers'];

/** What a controller is given with a certificate, whether its first or its next. */
export const issuedAnswer = (row: DeviceCertificateRow, caCertificate: string, brokers: BrokerAddresses): Renewed => ({
  v: 1,
  device_id: row.device_id as Renewed['device_id'],
  serial: row.serial,
  certificate: `${row.certificate}\n${caCertificate}`,
  ca_certificate: caCertificate,
  renew_after: Math.floor((row.created_at + row.expires_at) / 2) as Renewed['renew_after'],
  expires_at: row.expires_at as Renewed['expires_at'],
  brokers,
});
