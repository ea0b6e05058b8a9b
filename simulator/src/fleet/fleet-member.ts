import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { DeviceId } from '@lintel/access-core/ids';
import { publicKey } from '@lintel/wire-protocol/claiming/public-key';
import { certificateSerial, digestKeyId, milliseconds } from '@lintel/wire-protocol/mqtt/message-fields';
import { idOf } from '@lintel/wire-protocol/schema-parts/identifier';
import * as z from 'zod';

/** What one controller of the fleet knows of itself, as it is kept in the file of keys. */
export const fleetMember = z.object({
  device_id: idOf('device'),
  serial: certificateSerial,
  digest_key_id: digestKeyId,
  /** In PEM. The certificate is for MQTTS alone. */
  key: z.string(),
  certificate: z.string(),
  expires_at: milliseconds,
});
export type FleetMember = z.infer<typeof fleetMember>;

/** What all controllers of a fleet have in common. */
export const fleetHome = z.object({
  organization_id: idOf('organization'),
  site_id: idOf('site'),
  organization_key: publicKey,
  /** In PEM: the authority of the broker, and of the controllers' own certificates. */
  ca_certificate: z.string(),
  brokers: z.object({ mqtts: z.string().nullable(), mqtt: z.string().nullable() }),
});
export type FleetHome = z.infer<typeof fleetHome>;

/** A controller's name and key, ready for use. */
export interface Identity {
  readonly deviceId: DeviceId;
  readonly serial: string;
  readonly digestKeyId: string;
  readonly key: KeyObject;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
}

export const identityOf = ({ device_id, serial, digest_key_id, key: pem }: FleetMember): Identity => {
  const key = createPrivateKey(pem);
  return {
    deviceId: device_id,
    serial,
    digestKeyId: digest_key_id,
    key,
    sign: bytes => sign(null, bytes, key),
  };
};
