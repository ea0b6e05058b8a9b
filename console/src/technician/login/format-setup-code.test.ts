import { formatClaimCode, normalizeClaimCode } from '@lintel/wire-protocol/claiming/claim-code';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCompleteSetupCode, formatSetupCode } from './format-setup-code.ts';

describe('setup code field', () => {
  it('formats a typed code as on the label', () => {
    for (const typed of ['7k3m0qxwpt5h', '7K3M-0QXW-PT5H', '7k3m oqxw pt5h', ' 7K3M_OQXW_PT5H '])
      expect(formatSetupCode(typed)).toBe('7K3M-0QXW-PT5H');
    expect(formatSetupCode('il')).toBe('11');
    expect(formatSetupCode('7k3m0')).toBe('7K3M-0');
  });

  it('accepts the same code as the controller', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), bytes => {
        const code = formatClaimCode(bytes);
        expect(formatSetupCode(code.toLowerCase())).toBe(code);
        expect(isCompleteSetupCode(code)).toBe(true);
        expect(normalizeClaimCode(formatSetupCode(code))).not.toBeNull();
      }),
    );
    expect(isCompleteSetupCode('7K3M-0QXW-PT5')).toBe(false);
  });
});
