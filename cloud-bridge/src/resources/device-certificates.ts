import { refersToNothing } from '@lintel/access-core/problem-texts';
import { type Kysely, sql } from 'kysely';
import { createInvalidFieldError } from '../http/api-error.ts';
import type { IssuedCertificate } from '../tls/certificate-authority.ts';
import type { DeviceCertificateRow } from '../storage/device-schema.ts';
import type { Database } from '../storage/schema.ts';
import { insertRow } from '../transactions/row-operations.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

export interface DeviceCertificateHolder {
  readonly deviceId: string;
  readonly hardwareId: string;
  readonly claimTicketId: string | null;
}

export const storeDeviceCertificate = (
  context: WriteContext,
  { serial, publicKey, certificate, expiresAt }: IssuedCertificate,
  { deviceId, hardwareId, claimTicketId }: DeviceCertificateHolder,
): Promise<DeviceCertificateRow> =>
  insertRow(context, 'device_certificates', {
    serial,
    device_id: deviceId,
    organization_id: context.organizationId,
    public_key: publicKey,
    certificate,
    hardware_id: hardwareId,
    claim_ticket_id: claimTicketId,
    created_at: context.now,
    expires_at: expiresAt,
    revoked_at: null,
    down_counter: 0,
    replaced_login_at: null,
    replaced_login_address: null,
  });

/**
 * Only a redeemed claim ticket proves that the organization has the hardware. The error is the same whether another
 * organization has it or nobody.
 */
export const requireClaimedHardware = async (
  { db, organizationId }: WriteContext,
  hardwareId: string | null | undefined,
): Promise<void> => {
  if (hardwareId === null || hardwareId === undefined) return;
  const claimed = await db
    .selectFrom('device_certificates')
    .select('serial')
    .where('organization_id', '=', organizationId)
    .where('hardware_id', '=', hardwareId)
    .executeTakeFirst();
  if (claimed !== undefined) return;
  const message = `${refersToNothing('hardware', hardwareId)}. Claim the controller with a claim ticket`;
  throw createInvalidFieldError('hardware_id', message, { id: hardwareId });
};

/** Revokes all certificates of the device. Returns the serials of those that were valid. */
export const revokeDeviceCertificates = async ({ db, now }: WriteContext, deviceId: string): Promise<string[]> => {
  const revoked = await db
    .updateTable('device_certificates')
    .set({ revoked_at: now })
    .where('device_id', '=', deviceId)
    .where('revoked_at', 'is', null)
    .returning('serial')
    .execute();
  return revoked.map(({ serial }) => serial);
};

/** For a device whose deletion is undone. */
export const reinstateDeviceCertificates = async (
  { db }: WriteContext,
  deviceId: string,
  serials: readonly string[],
): Promise<void> => {
  if (serials.length === 0) return;
  await db
    .updateTable('device_certificates')
    .set({ revoked_at: null })
    .where('device_id', '=', deviceId)
    .where('serial', 'in', serials)
    .execute();
};

/** The number of controllers and gateways that are claimed. */
export const countClaimedDevices = async (db: Kysely<Database>, organizationId: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(distinct device_id) as count from device_certificates
    where organization_id = ${organizationId} and revoked_at is null`.execute(db);
  return rows[0]!.count;
};
