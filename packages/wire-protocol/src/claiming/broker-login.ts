import type { DeviceId } from '@lintel/access-core/ids';
import { failed, problem, type Result } from '@lintel/access-core/result';
import * as z from 'zod';
import { certificateSerial, milliseconds, version } from '../mqtt/message-fields.ts';
import { idOf } from '../schema-parts/identifier.ts';
import { encodeDocument, readDocument, type Sign } from '../signing/signed-document.ts';

/*
 * The password on a plain listener, which is on loopback only: with the device's id as the user's name, a document that
 * the device's key has signed just now. Where there is TLS, the certificate says all of it.
 */

export const brokerLogin = z.object({
  v: version,
  device_id: idOf('device'),
  serial: certificateSerial,
  at: milliseconds,
});
export type BrokerLogin = z.infer<typeof brokerLogin>;

const kind = { domain: 'lintel broker login 1', name: 'broker login', schema: brokerLogin } as const;

/** Both run on one machine and share its clock. */
const LONGEST_AGE_MS = 5 * 60_000;

export const encodeBrokerLogin = (login: BrokerLogin, sign: Sign): string => encodeDocument(kind, login, sign);

/** Which certificate the password claims, before its key is known. Believed after `readBrokerLogin`. */
export const claimedSerial = (text: string): string | null => {
  const read = readDocument(kind, text, () => true);
  return read.ok ? read.value.serial : null;
};

export const readBrokerLogin = (
  text: string,
  device: DeviceId,
  now: number,
  verify: (bytes: Uint8Array, signature: Uint8Array) => boolean,
): Result<BrokerLogin> => {
  const read = readDocument(kind, text, (_, ...signed) => verify(...signed));
  if (!read.ok) return read;
  if (read.value.device_id !== device) return failed([problem('device_id', 'wrong_device', `must be ${device}`)]);
  return Math.abs(read.value.at - now) > LONGEST_AGE_MS
    ? failed([problem('at', 'expired', 'is not the present time')])
    : read;
};
