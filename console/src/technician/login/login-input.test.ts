import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseUrlFragment, parseScannedText, isCompleteSetupCode, formatSetupCode } from './login-input.ts';
import { formatClaimCode, normalizeClaimCode } from '@lintel/wire-protocol/claiming/claim-code';

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

describe('URL fragment', () => {
  it('contains the credential of a label, a pass or a ticket', () => {
    expect(parseUrlFragment('#code=7K3M-0QXW-PT5H&fp=AB:CD')).toMatchObject({
      code: '7K3M-0QXW-PT5H',
      fingerprint: 'AB:CD',
    });
    expect(parseUrlFragment('#pass=ey.J')).toMatchObject({ pass: 'ey.J', code: null });
    expect(parseUrlFragment('#sign_in=pass')).toMatchObject({ signIn: 'pass', pass: null });
    expect(parseUrlFragment('#ticket=')).toMatchObject({ ticket: null });
  });

  it('contains no credential when it names a screen', () => {
    for (const hash of ['', '#', '#/', '#/rules', '#nonsense'])
      expect(Object.values(parseUrlFragment(hash))).toEqual([null, null, null, null, null]);
  });

  it('is found in a pasted link, in its end and in bare text', () => {
    for (const text of ['https://lintel-7f3a.local:8443/#ticket=ey.J', ' #ticket=ey.J ', 'ticket=ey.J', ' ey.J\n'])
      expect(parseScannedText(text, 'ticket').ticket).toBe('ey.J');
    expect(parseScannedText('  ', 'ticket').ticket).toBeNull();
  });
});
