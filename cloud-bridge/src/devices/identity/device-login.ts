import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { claimedSerial, readBrokerLogin } from '@lintel/wire-protocol/claiming/broker-login';
import { isGateway } from '../../resources/device-constraints.ts';
import type { Services } from '../../services.ts';
import { signatureVerifier } from '@lintel/crypto/ed25519';

/** A controller that has shown who it is. */
export interface DeviceIdentity {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly siteId: string;
  readonly serial: string;
  /** Null unless it is a gateway, which carries what the claimed devices of its site say. */
  readonly carries: ReadonlySet<DeviceId> | null;
}

interface HeldCertificate extends DeviceIdentity {
  readonly publicKey: string;
}

type LoginServices = Pick<Services, 'storage' | 'clock'>;

const devicesAt = async ({ storage }: LoginServices, siteId: string): Promise<ReadonlySet<DeviceId>> => {
  const rows = await storage.reader
    .selectFrom('devices as d')
    .innerJoin('device_links as l', 'l.device_id', 'd.id')
    .select('d.id')
    .where('d.site_id', '=', siteId)
    .where('d.is_deleted', '=', 0)
    .execute();
  return new Set(rows.map(({ id }) => id as DeviceId));
};

/** Null for a certificate that is not ours, is revoked or expired, or whose device is gone. */
const certificateInForce = async (services: LoginServices, serial: string): Promise<HeldCertificate | null> => {
  const { storage, clock } = services;
  const row = await storage.reader
    .selectFrom('device_certificates as c')
    .innerJoin('devices as d', 'd.id', 'c.device_id')
    .select([
      'c.serial',
      'c.device_id',
      'c.organization_id',
      'c.public_key',
      'c.expires_at',
      'd.site_id',
      'd.product_id',
    ])
    .where('c.serial', '=', serial)
    .where('c.revoked_at', 'is', null)
    .where('d.is_deleted', '=', 0)
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= clock()) return null;
  return {
    deviceId: row.device_id as DeviceId,
    organizationId: row.organization_id as OrganizationId,
    siteId: row.site_id,
    serial: row.serial,
    carries: isGateway(row) ? await devicesAt(services, row.site_id) : null,
    publicKey: row.public_key,
  };
};

/** The certificate has been shown in a TLS handshake, which our authority's signature has passed. */
export const identifyByCertificate = async (
  services: LoginServices,
  serial: string,
  commonName: string,
): Promise<DeviceIdentity | null> => {
  const held = await certificateInForce(services, serial);
  return held?.deviceId === commonName ? held : null;
};

/** On a plain listener, which is on loopback only. */
export const identifyByPassword = async (
  services: LoginServices,
  username: string,
  password: string,
): Promise<DeviceIdentity | null> => {
  const serial = claimedSerial(password);
  const held = serial === null ? null : await certificateInForce(services, serial);
  if (held?.deviceId !== username) return null;
  return readBrokerLogin(password, held.deviceId, services.clock(), signatureVerifier(held.publicKey)).ok ? held : null;
};

/** The key of one of the device's certificates that are in force, to check what it has signed. */
export const keyInForce = async (
  services: LoginServices,
  deviceId: string,
  serial: string,
): Promise<{ readonly publicKey: string; readonly organizationId: OrganizationId } | null> => {
  const held = await certificateInForce(services, serial);
  return held?.deviceId === deviceId ? held : null;
};
