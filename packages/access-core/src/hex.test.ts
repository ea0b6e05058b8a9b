import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from './hex.ts';

describe('hexOf', () => {
  it('encodes any bytes like Node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
        expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString('hex'));
      }),
    );
  });
});
