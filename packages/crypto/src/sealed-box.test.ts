import { describe, expect, it } from 'vitest';
import { createSealedBoxKeys, sealForKey } from './sealed-box.ts';

describe('sealed box', () => {
  it('is opened by the owner of the key in the same context only', () => {
    const keys = createSealedBoxKeys();
    const sealed = sealForKey(keys.publicKey, '04a1b2c3', 'dev_1');
    expect(keys.open(sealed, 'dev_1')).toBe('04a1b2c3');
    expect(keys.open(sealed, 'dev_2')).toBeNull();
    expect(createSealedBoxKeys().open(sealed, 'dev_1')).toBeNull();
  });

  it('rejects changed and short texts', () => {
    const keys = createSealedBoxKeys();
    const bytes = Buffer.from(sealForKey(keys.publicKey, '04a1b2c3', ''), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(keys.open(changed.toString('base64url'), '')).toBeNull();
    }
    for (const length of [0, 31, 40]) expect(keys.open(bytes.subarray(0, length).toString('base64url'), '')).toBeNull();
  });

  it('differs at each sealing, and never contains the text', () => {
    const { publicKey } = createSealedBoxKeys();
    const [first, second] = [sealForKey(publicKey, 'card', ''), sealForKey(publicKey, 'card', '')];
    expect(first).not.toBe(second);
    expect(Buffer.from(first, 'base64url').includes('card')).toBe(false);
  });
});
