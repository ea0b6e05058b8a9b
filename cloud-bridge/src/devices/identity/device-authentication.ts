import type { DeviceId, OrganizationId } from '@lintel/access-core/ids';
import { parseUnverifiedBrokerLoginProof, verifyBrokerLoginProof } from '@lintel/wire-protocol/claiming/broker-login';
import { isGatewayDevice } from '../../resources/gateway-and-virtual-devices.ts';
import type { BridgeServices } from '../../bridge-services-interface.ts';

/** A device with a verified certificate or password. */
export interface AuthenticatedDevice {
  readonly deviceId: DeviceId;
  readonly organizationId: OrganizationId;
  readonly siteId: string;
  readonly serial: string;
  /** The claimed devices of the site, if this is a gateway. It forwards their messages. */
  readonly siteDevices: ReadonlySet<DeviceId> | null;
}

interface ValidCertificate extends AuthenticatedDevice {
  readonly publicKey: string;
}

type LoginServices = Pick<BridgeServices, 'storage' | 'clock' | 'deviceRows' | 'deviceVerifiers'>;

const claimedDevicesAt = async ({ storage }: LoginServices, siteId: string): Promise<ReadonlySet<DeviceId>> => {
  const rows = await storage.reader
    .selectFrom('devices as d')
    .innerJoin('device_links as l', 'l.device_id', 'd.id')
    .select('d.id')
    .where('d.site_id', '=', siteId)
    .where('d.is_deleted', '=', 0)
    .execute();
  return new Set(rows.map(({ id }) => id as DeviceId));
};

/** Null for a certificate that is unknown, revoked or expired, or whose device is deleted. */
const findValidCertificate = async (services: LoginServices, serial: string): Promise<ValidCertificate | null> => {
  const row = await services.deviceRows.certificates.load(serial);
  if (row === undefined || row.expires_at <= services.clock()) return null;
  return {
    deviceId: row.device_id as DeviceId,
    organizationId: row.organization_id as OrganizationId,
    siteId: row.site_id,
    serial: row.serial,
    siteDevices: isGatewayDevice(row) ? await claimedDevicesAt(services, row.site_id) : null,
    publicKey: row.public_key,
  };
};

/** The TLS handshake has already verified that the bridge's authority signed the certificate. */
export const authenticateDeviceByCertificate = async (
  services: LoginServices,
  serial: string,
  commonName: string,
): Promise<AuthenticatedDevice | null> => {
  const certificate = await findValidCertificate(services, serial);
  return certificate?.deviceId === commonName ? certificate : null;
};

/** For the listener without TLS, which is restricted to loopback. */
export const authenticateDeviceByPassword = async (
  services: LoginServices,
  username: string,
  password: string,
): Promise<AuthenticatedDevice | null> => {
  const proof = parseUnverifiedBrokerLoginProof(password);
  const certificate = proof.ok ? await findValidCertificate(services, proof.value.content.serial) : null;
  if (!proof.ok || certificate?.deviceId !== username) return null;
  const verifier = services.deviceVerifiers.of(certificate.publicKey);
  const verified = verifyBrokerLoginProof(proof.value, certificate.deviceId, services.clock(), (bytes, signature) =>
    verifier.verify(bytes, signature),
  );
  return verified.ok ? certificate : null;
};

/** The public key of a valid certificate of the device, to verify its signatures. */
export const findValidDevicePublicKey = async (
  services: LoginServices,
  deviceId: string,
  serial: string,
): Promise<{ readonly publicKey: string; readonly organizationId: OrganizationId } | null> => {
  const certificate = await findValidCertificate(services, serial);
  return certificate?.deviceId === deviceId ? certificate : null;
};
