import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createP256Signer } from './p256.ts';
import { isCanonicalPublicKey } from './public-key.ts';

const base64urlOf = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');
const isEd25519 = (hex: string): boolean => isCanonicalPublicKey('Ed25519', base64urlOf(hex));

/** The eight points of small order, and their other encodings. */
const smallOrder = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '0000000000000000000000000000000000000000000000000000000000000000',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
];
const notCanonical = [
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'f0ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
];

describe('isCanonicalPublicKey', () => {
  it('accepts keys of both kinds', () => {
    for (let count = 0; count < 20; count++) {
      const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
      expect(isCanonicalPublicKey('Ed25519', x!)).toBe(true);
    }
    expect(isCanonicalPublicKey('P-256', createP256Signer().publicKey)).toBe(true);
    // The public key of RFC 8032, 7.1, test 1.
    expect(isEd25519('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')).toBe(true);
  });

  it('rejects points of small order, for which anybody can sign', () => {
    for (const hex of smallOrder) expect([hex, isEd25519(hex)]).toEqual([hex, false]);
  });

  it('rejects other encodings of a point, and what is no point', () => {
    for (const hex of notCanonical) expect([hex, isEd25519(hex)]).toEqual([hex, false]);
    // y = 2 is not on the curve.
    expect(isEd25519(`02${'00'.repeat(31)}`)).toBe(false);
    for (const text of ['', 'AAAA', `${'A'.repeat(42)}B`, 'A'.repeat(44)])
      expect(isCanonicalPublicKey('Ed25519', text)).toBe(false);
  });

  it('rejects points that are not on P-256, compressed points, and coordinates beyond the field', () => {
    const key = Buffer.from(createP256Signer().publicKey, 'base64url');
    const changed = Buffer.from(key);
    changed[64]! ^= 1;
    const large = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 0xff)]);
    const compressed = Buffer.concat([Buffer.of(2), key.subarray(1, 33)]);
    for (const point of [changed, large, compressed, Buffer.alloc(65), Buffer.of(0)])
      expect(isCanonicalPublicKey('P-256', point.toString('base64url'))).toBe(false);
    expect(isCanonicalPublicKey('P-256', `${key.toString('base64url')}=`)).toBe(false);
  });
});
