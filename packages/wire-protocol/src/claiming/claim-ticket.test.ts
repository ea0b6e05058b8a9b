import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase64url, toBase64url } from '../encoding/base64url.ts';
import { type ClaimTicket, signClaimTicket, readVerifiedClaimTicket } from './claim-ticket.ts';

const golden: { key_seed: string; ticket: ClaimTicket; text: string } = JSON.parse(
  readFileSync(new URL('../../golden/claiming/claim-ticket.json', import.meta.url), 'utf8'),
);

const PKCS8_OF_ED25519 = '302e020100300506032b657004220420';
const key = createPrivateKey({
  key: Buffer.from(PKCS8_OF_ED25519 + golden.key_seed, 'hex'),
  format: 'der',
  type: 'pkcs8',
});
const signWith = (bytes: Uint8Array): Uint8Array => sign(null, bytes, key);
const verifyWith = (organizationKey: string, bytes: Uint8Array, signature: Uint8Array): boolean => {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: organizationKey };
  return verify(null, bytes, createPublicKey({ key: jwk, format: 'jwk' }), signature);
};

const { ticket, text } = golden;
const before = ticket.expires_at - 1;
const read = (given: string, now = before): string => {
  const result = readVerifiedClaimTicket(given, verifyWith, now);
  return result.ok ? 'read' : result.problems.map(({ code }) => code).join();
};

describe('claim ticket', () => {
  it('round-trips its golden text', () => {
    expect(signClaimTicket(ticket, signWith)).toBe(text);
    expect(readVerifiedClaimTicket(text, verifyWith, before)).toEqual({ ok: true, value: ticket });
    expect(read(` ${text}\n`)).toBe('read');
  });

  it('is rejected from the millisecond of its expiry', () => {
    expect(read(text, ticket.expires_at)).toBe('expired');
  });

  it('is rejected with any bit changed', () => {
    const [payload = '', signature = ''] = text.split('.');
    const parts = [payload, signature].map(part => Buffer.from(fromBase64url(part) ?? []));
    fc.assert(
      fc.property(fc.nat(1), fc.nat(), fc.nat(7), (which, where, bit) => {
        const changed = parts.map(part => Buffer.from(part));
        const bytes = changed[which]!;
        bytes[where % bytes.length]! ^= 1 << bit;
        expect(read(changed.map(toBase64url).join('.'))).not.toBe('read');
      }),
    );
  });

  it('is rejected when another key has signed it or its key was exchanged', () => {
    const other = createPrivateKey({
      key: Buffer.from(`${PKCS8_OF_ED25519}${'07'.repeat(32)}`, 'hex'),
      format: 'der',
      type: 'pkcs8',
    });
    expect(read(signClaimTicket(ticket, bytes => sign(null, bytes, other)))).toBe('invalid_signature');
    const { x = '' } = createPublicKey(other).export({ format: 'jwk' });
    expect(read(signClaimTicket({ ...ticket, organization_key: x }, signWith))).toBe('invalid_signature');
  });

  it('is rejected with a signature over the bare payload', () => {
    const payload = new TextEncoder().encode(JSON.stringify(ticket));
    expect(read(`${toBase64url(payload)}.${toBase64url(signWith(payload))}`)).toBe('invalid_signature');
  });

  it('rejects any other text without throwing', () => {
    for (const given of ['', '.', 'a.b', text.slice(0, -1), `${text}.`, 'x'.repeat(10_000), text.replace('.', '')]) {
      expect(read(given)).not.toBe('read');
    }
    fc.assert(
      fc.property(fc.string(), given => {
        expect(read(given)).not.toBe('read');
      }),
    );
  });
});
