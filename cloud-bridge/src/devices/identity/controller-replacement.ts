import { DAY_MS } from '@lintel/access-core/durations';
import type { DeviceId } from '@lintel/access-core/ids';
import { instant } from '@lintel/access-core/instant';
import {
  type ControllerReplacementRequest,
  type ControllerReplacementResponse,
  encodeControllerReplacementSigningBytes,
  signControllerReplacement,
} from '@lintel/wire-protocol/claiming/controller-replacement';
import { verifyEd25519 } from '@lintel/crypto/verify-ed25519';
import type { Kysely } from 'kysely';
import type { BridgeServices } from '../../bridge-services-interface.ts';
import { ApiError } from '../../http/api-error.ts';
import { getOrCreateOrganizationSigningKey } from '../../resources/organization-signing-keys.ts';
import type { DeviceCertificateRow } from '../../storage/device-schema.ts';
import type { Database } from '../../storage/schema.ts';
import type { WriteContext } from '../../transactions/organization-writer.ts';

const isSigned = (body: ControllerReplacementRequest, { device_id, public_key }: DeviceCertificateRow): boolean =>
  device_id === body.device_id &&
  verifyEd25519(public_key, encodeControllerReplacementSigningBytes(body), Buffer.from(body.signature, 'base64url'));

/** When other hardware took the place of this controller; undefined if it was only removed, or claimed again itself. */
const findReplacementTime = async (
  db: Kysely<Database>,
  { device_id, hardware_id, revoked_at }: DeviceCertificateRow,
): Promise<number | undefined> => {
  if (revoked_at === null) return undefined;
  const certificates = await db
    .selectFrom('device_certificates as c')
    .innerJoin('devices as d', 'd.id', 'c.device_id')
    .select(['c.hardware_id', 'c.created_at', 'c.revoked_at'])
    .where('c.device_id', '=', device_id)
    .where('c.created_at', '>=', revoked_at)
    .where('d.is_deleted', '=', 0)
    .orderBy('c.created_at')
    .execute();
  const valid = certificates.filter(one => one.revoked_at === null);
  if (valid.length === 0 || valid.some(one => one.hardware_id === hardware_id)) return undefined;
  return certificates.find(one => one.hardware_id !== hardware_id)?.created_at;
};

const recordLogin = async (
  context: WriteContext,
  { serial, device_id, hardware_id, replaced_login_at }: DeviceCertificateRow,
  address: string,
): Promise<void> => {
  const { db, now } = context;
  if (replaced_login_at !== null && now - replaced_login_at < DAY_MS) return;
  await db
    .updateTable('device_certificates')
    .set({ replaced_login_at: now, replaced_login_address: address })
    .where('serial', '=', serial)
    .execute();
  const device = await db.selectFrom('devices').select('site_id').where('id', '=', device_id).executeTakeFirst();
  const place = device === undefined ? {} : { site_id: device.site_id };
  context.log({
    verb: 'edit',
    reason: 'replaced_controller_login',
    object: { type: 'device', device_id, hardware_id, ...place },
  });
};

/**
 * Tells a controller that other hardware has taken its place, and records that it tried to log in. The request is signed
 * by the key of its certificate, so that only that controller can raise the alarm.
 */
export const answerReplacedController = async (
  { storage, writer }: Pick<BridgeServices, 'storage' | 'writer'>,
  body: ControllerReplacementRequest,
  networkAddress: string,
): Promise<ControllerReplacementResponse> => {
  const certificate = await storage.reader
    .selectFrom('device_certificates')
    .selectAll()
    .where('serial', '=', body.serial)
    .executeTakeFirst();
  if (certificate === undefined || !isSigned(body, certificate))
    throw new ApiError('forbidden', 'The signature does not match a certificate of this bridge');
  const replacedAt = await findReplacementTime(storage.reader, certificate);
  if (replacedAt === undefined) return { v: 1, replacement: null };
  return writer.write(certificate.organization_id, {}, async context => {
    const { sign } = await getOrCreateOrganizationSigningKey(context);
    await recordLogin(context, certificate, body.address ?? networkAddress);
    const { nonce, serial } = body;
    const statement = {
      v: 1,
      device_id: certificate.device_id as DeviceId,
      serial,
      nonce,
      replaced_at: instant(replacedAt),
    } as const;
    return { v: 1, replacement: signControllerReplacement(statement, sign) };
  });
};

/** A controller that tried to log in although it was replaced. */
export interface ReplacedControllerLogin {
  readonly device_id: string;
  readonly site_id: string;
  readonly name: string;
  readonly address: string;
  readonly at: number;
}

/** Those that asked since yesterday: a controller that is not switched on any more disappears from the list. */
const SHOWN_MS = 2 * DAY_MS;

export const listReplacedControllerLogins = async (
  db: Kysely<Database>,
  organizationId: string,
  now: number,
): Promise<ReplacedControllerLogin[]> => {
  const rows = await db
    .selectFrom('device_certificates as c')
    .innerJoin('devices as d', 'd.id', 'c.device_id')
    .select(['c.device_id', 'd.site_id', 'd.name', 'c.replaced_login_at', 'c.replaced_login_address'])
    .where('c.organization_id', '=', organizationId)
    .where('c.replaced_login_at', '>', now - SHOWN_MS)
    .where('d.is_deleted', '=', 0)
    .orderBy('d.name')
    .execute();
  return rows.map(({ replaced_login_at, replaced_login_address, ...device }) => ({
    ...device,
    address: replaced_login_address ?? '',
    at: replaced_login_at ?? 0,
  }));
};
