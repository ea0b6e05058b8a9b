import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSignatureVerifier, verifyEd25519 } from './verify-ed25519.ts';

const newKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return {
    x: publicKey.export({ format: 'jwk' }).x!,
    sign: (text: string) => sign(null, Buffer.from(text), privateKey),
  };
};

describe.each([
  ['verifyEd25519', verifyEd25519],
  [
    'createSignatureVerifier',
    (key: string, bytes: Uint8Array, signature: Uint8Array) => createSignatureVerifier(key)(bytes, signature),
  ],
])('%s', (_, verify) => {
  it('accepts a signature of the key over the bytes, and nothing else', () => {
    const [key, other] = [newKey(), newKey()];
    const signature = key.sign('door');
    expect(verify(key.x, Buffer.from('door'), signature)).toBe(true);
    expect(verify(key.x, Buffer.from('gate'), signature)).toBe(false);
    expect(verify(other.x, Buffer.from('door'), signature)).toBe(false);
  });

  it('accepts keys with any bytes', () => {
    for (let attempt = 0; attempt < 200; attempt++) {
      const key = newKey();
      expect([key.x, verify(key.x, Buffer.from('door'), key.sign('door'))]).toEqual([key.x, true]);
    }
  });

  it('rejects a key with more or fewer bytes than 32', () => {
    const key = newKey();
    const bytes = Buffer.from(key.x, 'base64url');
    for (const other of [Buffer.concat([bytes, Buffer.alloc(1)]), bytes.subarray(1), Buffer.concat([bytes, bytes])])
      expect(verify(other.toString('base64url'), Buffer.from('door'), key.sign('door'))).toBe(false);
  });

  it.each(['', 'x', 'A'.repeat(200)])('rejects every signature for %j, which is not a key', publicKey => {
    expect(verify(publicKey, Buffer.from('door'), newKey().sign('door'))).toBe(false);
  });
});
