import { concatenateBytes } from '../encoding/length-prefixed.ts';

type SubtleKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export const X25519_KEY_BYTES = 32;
export const BLUETOOTH_CIPHER_TAG_BYTES = 16;
const CIPHER_KEY_BYTES = 32;
/** Each key seals one message only. */
const ZERO_IV = new Uint8Array(12);

/** A key pair for one exchange. */
export interface EphemeralKey {
  readonly publicKey: Uint8Array;
  /** The shared secret; null if the other public key is invalid. */
  readonly agree: (otherPublicKey: Uint8Array) => Promise<Uint8Array | null>;
}

const createAgreement =
  (privateKey: SubtleKey): EphemeralKey['agree'] =>
  async otherPublicKey => {
    try {
      const other = await crypto.subtle.importKey('raw', Uint8Array.from(otherPublicKey), 'X25519', false, []);
      return new Uint8Array(await crypto.subtle.deriveBits({ name: 'X25519', public: other }, privateKey, 256));
    } catch {
      return null;
    }
  };

export const createEphemeralKey = async (): Promise<EphemeralKey> => {
  const pair = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as {
    readonly publicKey: SubtleKey;
    readonly privateKey: SubtleKey;
  };
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return { publicKey, agree: createAgreement(pair.privateKey) };
};

/** Encrypts or decrypts the one message of a direction. */
export interface BluetoothMessageCipher {
  readonly seal: (plain: Uint8Array) => Promise<Uint8Array>;
  /** Null if the bytes were not sealed with this key. */
  readonly open: (sealed: Uint8Array) => Promise<Uint8Array | null>;
}

const createSeal = async (bytes: Uint8Array): Promise<BluetoothMessageCipher> => {
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(bytes), 'AES-GCM', false, ['encrypt', 'decrypt']);
  const algorithm = { name: 'AES-GCM', iv: ZERO_IV };
  return {
    seal: async plain => new Uint8Array(await crypto.subtle.encrypt(algorithm, key, Uint8Array.from(plain))),
    open: async sealed => {
      try {
        return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, Uint8Array.from(sealed)));
      } catch {
        return null;
      }
    },
  };
};

export interface BluetoothSessionKeys {
  readonly challenge: BluetoothMessageCipher;
  readonly proof: BluetoothMessageCipher;
  readonly result: BluetoothMessageCipher;
}

export const hashBluetoothTranscript = async (parts: readonly Uint8Array[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(concatenateBytes(parts))));

/** HKDF (RFC 5869). Only holders of the Bluetooth key of the organization derive the same keys. */
export const deriveBluetoothSessionKeys = async (
  shared: Uint8Array,
  bluetoothKey: Uint8Array,
  transcript: Uint8Array,
): Promise<BluetoothSessionKeys> => {
  const secret = await crypto.subtle.importKey('raw', Uint8Array.from(shared), 'HKDF', false, ['deriveBits']);
  const salt = Uint8Array.from(bluetoothKey);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info: Uint8Array.from(transcript) };
  const bytes = new Uint8Array(await crypto.subtle.deriveBits(algorithm, secret, 3 * CIPHER_KEY_BYTES * 8));
  const keyAt = (index: number): Promise<BluetoothMessageCipher> =>
    createSeal(bytes.subarray(index * CIPHER_KEY_BYTES, (index + 1) * CIPHER_KEY_BYTES));
  const [challenge, proof, result] = await Promise.all([keyAt(0), keyAt(1), keyAt(2)]);
  return { challenge, proof, result };
};
