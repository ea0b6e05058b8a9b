import { encodeLengthPrefixed } from '../encoding/length-prefixed.ts';

/*
 * The identifier in the advertisement: 3 bytes that change every period, and 3 bytes that prove the key over them, as in
 * a resolvable private address (Bluetooth Core Specification, volume 6, part B, 1.3.2.2). A phone needs the key to
 * recognize a controller, but no clock that agrees with it.
 */

export const ROTATING_IDENTIFIER_BYTES = 6;
/** Each period has another identifier. */
export const ROTATING_IDENTIFIER_PERIOD_MS = 15 * 60_000;
const HALF = ROTATING_IDENTIFIER_BYTES / 2;

const utf8 = new TextEncoder();
const SALT_DOMAIN = utf8.encode('lintel bluetooth salt 1');
const TAG_DOMAIN = utf8.encode('lintel bluetooth identifier 1');

const authenticate = async (key: Uint8Array, parts: readonly Uint8Array[]): Promise<Uint8Array> => {
  const hmacKey = await crypto.subtle.importKey('raw', Uint8Array.from(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  const tag = await crypto.subtle.sign('HMAC', hmacKey, Uint8Array.from(encodeLengthPrefixed(parts)));
  return new Uint8Array(tag).slice(0, HALF);
};

const tagOf = (key: Uint8Array, deviceId: string, salt: Uint8Array): Promise<Uint8Array> =>
  authenticate(key, [TAG_DOMAIN, utf8.encode(deviceId), salt]);

/** `period`: the number of the period since 1970. */
export const deriveRotatingControllerIdentifier = async (
  bluetoothKey: Uint8Array,
  deviceId: string,
  period: number,
): Promise<Uint8Array> => {
  const salt = await authenticate(bluetoothKey, [SALT_DOMAIN, utf8.encode(deviceId), utf8.encode(String(period))]);
  return Uint8Array.of(...salt, ...(await tagOf(bluetoothKey, deviceId, salt)));
};

export const computeRotatingIdentifierPeriod = (now_ms: number): number =>
  Math.floor(now_ms / ROTATING_IDENTIFIER_PERIOD_MS);

/** Whether the identifier is one of this controller, of any period. */
export const isRotatingIdentifierOfController = async (
  identifier: Uint8Array,
  bluetoothKey: Uint8Array,
  deviceId: string,
): Promise<boolean> => {
  if (identifier.length !== ROTATING_IDENTIFIER_BYTES) return false;
  const tag = await tagOf(bluetoothKey, deviceId, identifier.slice(0, HALF));
  return tag.every((byte, index) => byte === identifier[HALF + index]);
};
