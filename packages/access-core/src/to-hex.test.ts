import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from './to-hex.ts';

describe('toHex', () => {
  it('encodes any bytes like Node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
      }),
    );
  });
});
