import { sealSecret } from '../secrets/sealing.ts';
import type { WriteContext } from '../transactions/organization-writer.ts';

/** Seal context: the digest key can be opened only for this device. */
export const buildDigestKeySealContext = (organizationId: string, deviceId: string): string =>
  `${organizationId}/digest_key/${deviceId}`;

export interface DigestKey {
  readonly id: string;
  /** 32 bytes in base64url. */
  readonly key: string;
}

const sealedKey = ({ keys, organizationId }: WriteContext, deviceId: string, { id, key }: DigestKey) => ({
  digest_key_id: id,
  sealed_digest_key: sealSecret(keys, key, buildDigestKeySealContext(organizationId, deviceId)),
});

export interface NewDeviceLink {
  readonly serial: string;
  readonly digestKey: DigestKey;
  /** False: no members in its snapshot until an administrator confirms it. */
  readonly isConfirmed: boolean;
  readonly claimTicketId: string | null;
}

/** Resets what the bridge knows about a controller that replaces another one. */
export const resetDeviceLink = async (
  context: WriteContext,
  deviceId: string,
  { serial, digestKey, isConfirmed, claimTicketId }: NewDeviceLink,
): Promise<void> => {
  const { db, organizationId } = context;
  await db.deleteFrom('device_links').where('device_id', '=', deviceId).execute();
  await db.deleteFrom('device_sync').where('device_id', '=', deviceId).execute();
  await db.deleteFrom('uplink_counters').where('device_id', '=', deviceId).execute();
  await db
    .insertInto('device_links')
    .values({
      device_id: deviceId,
      organization_id: organizationId,
      ...sealedKey(context, deviceId, digestKey),
      serial,
      session_nonce: null,
      seen_at: null,
      offline_since: null,
      firmware: null,
      event_sequence: 0,
      received_events: '{}',
      hello_counter: 0,
      awaits_revocations: 0,
      is_confirmed: isConfirmed ? 1 : 0,
      claim_ticket_id: claimTicketId,
      stolen_at: null,
    })
    .execute();
};

export const changeDeviceDigestKey = async (
  context: WriteContext,
  deviceId: string,
  digestKey: DigestKey,
): Promise<void> => {
  await context.db
    .updateTable('device_links')
    .set(sealedKey(context, deviceId, digestKey))
    .where('device_id', '=', deviceId)
    .execute();
};
