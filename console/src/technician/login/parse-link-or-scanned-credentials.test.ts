import { describe, expect, it } from 'vitest';
import { parseUrlFragment, parseScannedText } from './parse-link-or-scanned-credentials.ts';

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
