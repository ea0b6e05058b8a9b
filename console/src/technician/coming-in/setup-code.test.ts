import { claimCodeOf, plainClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWholeSetupCode, shownSetupCode } from './setup-code.ts';

describe('setup code field', () => {
  it('formats a typed code as on the label', () => {
    for (const typed of ['7k3m0qxwpt5h', '7K3M-0QXW-PT5H', '7k3m oqxw pt5h', ' 7K3M_OQXW_PT5H '])
      expect(shownSetupCode(typed)).toBe('7K3M-0QXW-PT5H');
    expect(shownSetupCode('il')).toBe('11');
    expect(shownSetupCode('7k3m0')).toBe('7K3M-0');
  });

  it('accepts the same code as the controller', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), bytes => {
        const code = claimCodeOf(bytes);
        expect(shownSetupCode(code.toLowerCase())).toBe(code);
        expect(isWholeSetupCode(code)).toBe(true);
        expect(plainClaimCode(shownSetupCode(code))).not.toBeNull();
      }),
    );
    expect(isWholeSetupCode('7K3M-0QXW-PT5')).toBe(false);
  });
});
