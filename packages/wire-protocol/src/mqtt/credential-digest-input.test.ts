import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type DigestedCredentialKind, encodeCredentialDigestInput } from './credential-digest-input.ts';

interface Golden {
  readonly key: string;
  readonly digests: readonly {
    readonly kind: DigestedCredentialKind;
    readonly value: string;
    readonly digest: string;
  }[];
}

const golden: Golden = JSON.parse(
  readFileSync(new URL('../../golden/credentials/credential-digest.json', import.meta.url), 'utf8'),
);
const key = Buffer.from(golden.key, 'hex');
const digestOf = (kind: DigestedCredentialKind, value: string): string =>
  createHmac('sha256', key).update(encodeCredentialDigestInput(kind, value)).digest('hex');

describe('credential digest', () => {
  it('equals the golden digests', () => {
    expect(key).toHaveLength(32);
    for (const { kind, value, digest } of golden.digests)
      expect([value, digestOf(kind, value)]).toEqual([value, digest]);
  });

  it('differs between a PIN and a card with the same text', () => {
    expect(digestOf('pin', '04123456')).not.toBe(digestOf('card', '04123456'));
  });
});
