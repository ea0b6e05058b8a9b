import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SignatureVerifierCache } from './signature-verifier-cache.ts';

const createKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    publicKey: publicKey.export({ format: 'jwk' }).x!,
    sign: (text: string) => sign(null, Buffer.from(text), privateKey),
  };
};

describe('SignatureVerifierCache', () => {
  it('verifies with the key of the signer only', () => {
    const cache = new SignatureVerifierCache();
    const [ann, bob] = [createKey(), createKey()];
    const text = Buffer.from('open');
    expect(cache.of(ann.publicKey)(text, ann.sign('open'))).toBe(true);
    expect(cache.of(bob.publicKey)(text, ann.sign('open'))).toBe(false);
    expect(cache.of(ann.publicKey)(text, bob.sign('open'))).toBe(false);
  });

  it('keeps the verifiers that were used last', () => {
    const cache = new SignatureVerifierCache(2);
    const [first, second] = [cache.of('a'), cache.of('b')];
    expect(cache.of('a')).toBe(first);
    cache.of('c');
    expect(cache.of('a')).toBe(first);
    expect(cache.of('b')).not.toBe(second);
  });
});
