import { createHmac } from 'node:crypto';
import { credentialDigestInput } from '@lintel/wire-protocol/mqtt/credential-digest';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { digesterOf } from './credential-digester.ts';

test('digests are HMAC-SHA-256 over the bytes that the protocol gives, whatever was digested before', () => {
  const values = fc.tuple(fc.constantFrom('pin' as const, 'card' as const), fc.stringMatching(/^[0-9a-f]{0,40}$/));
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 64 }), fc.array(values, { maxLength: 5 }), (key, all) => {
      const digester = digesterOf(key);
      for (const [kind, value] of all) {
        const expected = createHmac('sha256', key).update(credentialDigestInput(kind, value)).digest('hex');
        expect(digester(kind, value)).toBe(expected);
      }
    }),
  );
});

test('a value that no digest has room for is refused, not cut', () => {
  expect(() => digesterOf(new Uint8Array(32))('pin', '1'.repeat(256))).toThrow('too long');
});
