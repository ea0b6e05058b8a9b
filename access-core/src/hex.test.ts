import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { hexOf } from './hex.ts';

it('writes any bytes as Node does', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
      expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString('hex'));
    }),
  );
});
