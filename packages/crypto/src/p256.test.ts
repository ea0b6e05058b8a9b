import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createP256Signer, isP256PublicKey, loadP256Signer, verifyP256 } from './p256.ts';

const door = Buffer.from('door');

describe('P-256 signatures', () => {
  it('are accepted for the key and the bytes, and nothing else', () => {
    const [key, other] = [createP256Signer(), createP256Signer()];
    const signature = key.sign(door);
    expect(signature).toHaveLength(64);
    expect(verifyP256(key.publicKey, door, signature)).toBe(true);
    expect(verifyP256(key.publicKey, Buffer.from('gate'), signature)).toBe(false);
    expect(verifyP256(other.publicKey, door, signature)).toBe(false);
  });

  it('have the formats of WebCrypto', async () => {
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
    const raw = Buffer.from(await crypto.subtle.exportKey('raw', publicKey)).toString('base64url');
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, door));
    expect([isP256PublicKey(raw), verifyP256(raw, door, signature)]).toEqual([true, true]);
  });

  it.each(['', 'x', 'B'.repeat(87), Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url')])(
    'are rejected for %j, which is not a key',
    publicKey => {
      expect(isP256PublicKey(publicKey)).toBe(false);
      expect(verifyP256(publicKey, door, createP256Signer().sign(door))).toBe(false);
    },
  );

  it('come from a PEM file of the right curve', () => {
    const pem = (namedCurve: string) =>
      generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const signer = loadP256Signer(pem('P-256'));
    expect(verifyP256(signer.publicKey, door, signer.sign(door))).toBe(true);
    expect(() => loadP256Signer(pem('P-384'))).toThrow('Not a P-256 private key');
  });
});
