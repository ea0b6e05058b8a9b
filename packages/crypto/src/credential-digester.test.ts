import { createHmac } from 'node:crypto';
import { encodeCredentialDigestInput } from '@lintel/wire-protocol/mqtt/credential-digest-input';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCredentialDigester } from './credential-digester.ts';

describe('credential digester', () => {
  it('computes HMAC-SHA-256 over the bytes defined by the protocol, independently of earlier digests', () => {
    const values = fc.tuple(fc.constantFrom('pin' as const, 'card' as const), fc.stringMatching(/^[0-9a-f]{0,40}$/));
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.array(values, { maxLength: 5 }), (key, all) => {
        const digester = createCredentialDigester(key);
        for (const [kind, value] of all) {
          const expected = createHmac('sha256', key).update(encodeCredentialDigestInput(kind, value)).digest('hex');
          expect(digester(kind, value)).toBe(expected);
        }
      }),
    );
  });

  it('rejects a value that is too long instead of truncating it', () => {
    expect(() => createCredentialDigester(new Uint8Array(32))('pin', '1'.repeat(256))).toThrow('too long');
  });
});
