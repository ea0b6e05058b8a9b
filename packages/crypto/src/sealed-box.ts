import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

const rawKey = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');

const publicKeyOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: Buffer.from(raw).toString('base64url') },
    format: 'jwk',
  });

/** Both public keys enter the derivation, so that key and nonce belong to this message only. */
const deriveKey = (shared: Buffer, sender: Uint8Array, recipient: Uint8Array) => {
  const salt = Buffer.concat([sender, recipient]);
  const bytes = Buffer.from(hkdfSync('sha256', shared, salt, 'lintel sealed box', KEY_BYTES + NONCE_BYTES));
  return { key: bytes.subarray(0, KEY_BYTES), nonce: bytes.subarray(KEY_BYTES) };
};

/** A key pair for one response that only its owner can read (X25519, HKDF-SHA-256, AES-256-GCM). */
export interface SealedBoxRecipient {
  /** Base64url, 32 bytes. */
  readonly publicKey: string;
  /** Null if the text was sealed for another key or context, or was changed. */
  open(sealed: string, context: string): string | null;
}

export const createSealedBoxKeys = (): SealedBoxRecipient => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const recipient = rawKey(publicKey);
  return {
    publicKey: recipient.toString('base64url'),
    open: (sealed, context) => {
      const bytes = Buffer.from(sealed, 'base64url');
      const sender = bytes.subarray(0, KEY_BYTES);
      const end = bytes.length - TAG_BYTES;
      try {
        const shared = diffieHellman({ privateKey, publicKey: publicKeyOf(sender) });
        const { key, nonce } = deriveKey(shared, sender, recipient);
        const decipher = createDecipheriv(CIPHER, key, nonce)
          .setAAD(Buffer.from(context))
          .setAuthTag(bytes.subarray(end));
        return Buffer.concat([decipher.update(bytes.subarray(KEY_BYTES, end)), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
};

/** Base64url of the sender's public key, ciphertext and tag. `context` must be the same when it is opened. */
export const sealForKey = (recipientKey: string, plain: string, context: string): string => {
  const recipient = Buffer.from(recipientKey, 'base64url');
  const { publicKey, privateKey } = generateKeyPairSync('x25519');
  const sender = rawKey(publicKey);
  const { key, nonce } = deriveKey(diffieHellman({ privateKey, publicKey: publicKeyOf(recipient) }), sender, recipient);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(context));
  return Buffer.concat([sender, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64url',
  );
};
