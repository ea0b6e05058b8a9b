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
  it('verifies with the key of the signer only', async () => {
    const cache = new SignatureVerifierCache();
    const [ann, bob] = [createKey(), createKey()];
    const text = Buffer.from('open');
    const results = await Promise.all(
      [
        { key: ann.publicKey, signature: ann.sign('open') },
        { key: bob.publicKey, signature: ann.sign('open') },
        { key: ann.publicKey, signature: bob.sign('open') },
        { key: ann.publicKey, signature: Buffer.from('short') },
        { key: 'not a key', signature: ann.sign('open') },
      ].map(async ({ key, signature }) => {
        const verifier = cache.of(key);
        return [verifier.verify(text, signature), await verifier.verifyInThread(text, signature)];
      }),
    );
    expect(results).toEqual([true, false, false, false, false].map(isValid => [isValid, isValid]));
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
