import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { toBase64url } from '../encoding/base64url.ts';
import { encodeEd25519Pkcs8, parseMemberTokenSeed } from '../phone/member-token-seed.ts';
import type { VerifyEd25519 } from '../phone/nfc-phone-authentication.ts';
import type { BluetoothExchangeRandomValues } from './controller-session.ts';
import type { BluetoothGadgetActionRequest } from './messages.ts';
import type { BluetoothPhoneCredential } from './phone-session.ts';
import type { EphemeralKey } from './session-keys.ts';

interface Vectors extends Readonly<Record<string, unknown>> {
  readonly token: string;
  readonly organization_id: string;
  readonly device_id: string;
  readonly gadget_id: string;
  readonly action_id: string;
  readonly rssi: number;
  readonly identifier_period: number;
  readonly hello_fragments_mtu_23: readonly string[];
  readonly proof_fragments_mtu_23: readonly string[];
  readonly proof_fragments_mtu_185: readonly string[];
}

export const bluetoothVectors = JSON.parse(
  readFileSync(new URL('../../golden/bluetooth/exchange.json', import.meta.url), 'utf8'),
) as Vectors;

export const bytesFromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
export const readVectorBytes = (name: string): Uint8Array => bytesFromHex(bluetoothVectors[name] as string);

const rawKey = (key: KeyObject): string =>
  toBase64url(new Uint8Array(key.export({ format: 'der', type: 'spki' }).subarray(-32)));

const X25519_PKCS8_HEAD = '302e020100300506032b656e04220420';

/** An ephemeral key with a fixed private key, computed by OpenSSL through another interface than the package uses. */
export const createVectorEphemeralKey = (privateKey: Uint8Array): EphemeralKey => {
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from(X25519_PKCS8_HEAD, 'hex'), privateKey]),
    format: 'der',
    type: 'pkcs8',
  });
  return {
    publicKey: new Uint8Array(Buffer.from(rawKey(createPublicKey(key)), 'base64url')),
    agree: async other => {
      const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: toBase64url(other) }, format: 'jwk' });
      return new Uint8Array(diffieHellman({ privateKey: key, publicKey }));
    },
  };
};

export const createVectorMemberKey = (token: string): Pick<BluetoothPhoneCredential, 'publicKey' | 'sign'> => {
  const seed = parseMemberTokenSeed(token)!;
  const key = createPrivateKey({ key: Buffer.from(encodeEd25519Pkcs8(seed)), format: 'der', type: 'pkcs8' });
  return {
    publicKey: new Uint8Array(Buffer.from(rawKey(createPublicKey(key)), 'base64url')),
    sign: async message => new Uint8Array(sign(null, message, key)),
  };
};

export const verifyVectorSignature: VerifyEd25519 = (publicKey, message, signature) =>
  verify(
    null,
    message,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: toBase64url(publicKey) }, format: 'jwk' }),
    signature,
  );

export const vectorControllerIdentity = {
  organization_id: bluetoothVectors.organization_id,
  device_id: bluetoothVectors.device_id,
};
export const vectorDoorRequest: BluetoothGadgetActionRequest = {
  gadget_id: bluetoothVectors.gadget_id,
  action_id: bluetoothVectors.action_id,
  rssi: bluetoothVectors.rssi,
};
export const vectorBluetoothKey = readVectorBytes('bluetooth_key');
export const vectorCredential: BluetoothPhoneCredential = {
  organization_id: bluetoothVectors.organization_id,
  bluetoothKey: vectorBluetoothKey,
  ...createVectorMemberKey(bluetoothVectors.token),
};
export const vectorPhoneEphemeralKey = createVectorEphemeralKey(readVectorBytes('phone_ephemeral_private_key'));
export const vectorRandomValues: BluetoothExchangeRandomValues = {
  sessionId: readVectorBytes('session_id'),
  nonce: readVectorBytes('nonce'),
  ephemeral: createVectorEphemeralKey(readVectorBytes('controller_ephemeral_private_key')),
};
