import { createCipheriv, createDecipheriv } from 'node:crypto';

/** AES-128 without padding: every length is a multiple of 16. */
export interface AesCipher {
  block(key: Uint8Array, block: Uint8Array): Uint8Array;
  chain(key: Uint8Array, iv: Uint8Array, blocks: Uint8Array): Uint8Array;
  unchain(key: Uint8Array, iv: Uint8Array, blocks: Uint8Array): Uint8Array;
}

export const nodeAesCipher: AesCipher = {
  block(key, block) {
    return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block);
  },
  chain(key, iv, blocks) {
    return createCipheriv('aes-128-cbc', key, iv).setAutoPadding(false).update(blocks);
  },
  unchain(key, iv, blocks) {
    return createDecipheriv('aes-128-cbc', key, iv).setAutoPadding(false).update(blocks);
  },
};
