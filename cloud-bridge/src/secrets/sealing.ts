import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { MissingMasterKeyError } from './key-material-error.ts';
import type { DerivedKeys, MasterKeys } from './master-keys.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type SealingKeys = Pick<DerivedKeys, 'version' | 'sealing'>;

/**
 * `v<key version>.<base64url of nonce, ciphertext and tag>` under AES-256-GCM. `context` identifies the row: a
 * sealed value that is copied to another row cannot be opened.
 */
export const sealSecret = (keys: SealingKeys, plain: string, context: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keys.sealing, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v${keys.version}.${body.toString('base64url')}`;
};

export const parseSealedKeyVersion = (sealed: string): number => Number(/^v(\d+)\./.exec(sealed)?.[1] ?? Number.NaN);

export const unsealSecretWithKeys = (keys: SealingKeys, sealed: string, context: string): string => {
  const body = Buffer.from(sealed.slice(sealed.indexOf('.') + 1), 'base64url');
  const tag = body.subarray(body.length - TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keys.sealing, body.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  const plain = decipher.update(body.subarray(NONCE_BYTES, body.length - TAG_BYTES));
  return Buffer.concat([plain, decipher.final()]).toString('utf8');
};

export const unsealSecret = (master: MasterKeys, sealed: string, context: string): string =>
  unsealSecretWithKeys(master.derivedKeys(parseSealedKeyVersion(sealed)), sealed, context);

/** Null for a damaged value. Throws a MissingMasterKeyError: then other values cannot be opened either. */
export const unsealSecretIfReadable = (master: MasterKeys, sealed: string, context: string): string | null => {
  try {
    return unsealSecret(master, sealed, context);
  } catch (error) {
    if (error instanceof MissingMasterKeyError) throw error;
    return null;
  }
};

/** Keyed hash to find a secret without storing it. Equal only for the same key, purpose and value. */
export const computeBlindIndex = (keys: DerivedKeys, purpose: string, value: string): string =>
  createHmac('sha256', keys.blinding).update(`${purpose}\0${value}`).digest('base64url');
