import { describe, expect, it } from 'vitest';
import { broughtBy, broughtByText } from './fragment.ts';

describe('URL fragment', () => {
  it('contains the credential of a label, a pass or a ticket', () => {
    expect(broughtBy('#code=7K3M-0QXW-PT5H&fp=AB:CD')).toMatchObject({ code: '7K3M-0QXW-PT5H', fingerprint: 'AB:CD' });
    expect(broughtBy('#pass=ey.J')).toMatchObject({ pass: 'ey.J', code: null });
    expect(broughtBy('#ticket=')).toMatchObject({ ticket: null });
  });

  it('contains no credential when it names a screen', () => {
    for (const hash of ['', '#', '#/', '#/rules', '#nonsense'])
      expect(Object.values(broughtBy(hash))).toEqual([null, null, null, null]);
  });

  it('is found in a pasted link, in its end and in bare text', () => {
    for (const text of ['https://lintel-7f3a.local:8443/#pass=ey.J', ' #pass=ey.J ', 'pass=ey.J', ' ey.J\n'])
      expect(broughtByText(text, 'pass').pass).toBe('ey.J');
    expect(broughtByText('  ', 'ticket').ticket).toBeNull();
  });
});
