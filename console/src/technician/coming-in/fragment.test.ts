import { expect, it } from 'vitest';
import { broughtBy, broughtByText } from './fragment.ts';

it('takes what a label, a pass or a ticket has behind the #', () => {
  expect(broughtBy('#code=7K3M-0QXW-PT5H&fp=AB:CD')).toMatchObject({ code: '7K3M-0QXW-PT5H', fingerprint: 'AB:CD' });
  expect(broughtBy('#pass=ey.J')).toMatchObject({ pass: 'ey.J', code: null });
  expect(broughtBy('#ticket=')).toMatchObject({ ticket: null });
});

it('leaves screens alone', () => {
  for (const hash of ['', '#', '#/', '#/rules', '#nonsense'])
    expect(Object.values(broughtBy(hash))).toEqual([null, null, null, null]);
});

it('takes a pasted link, its end, or the bare text', () => {
  for (const text of ['https://lintel-7f3a.local:8443/#pass=ey.J', ' #pass=ey.J ', 'pass=ey.J', ' ey.J\n'])
    expect(broughtByText(text, 'pass').pass).toBe('ey.J');
  expect(broughtByText('  ', 'ticket').ticket).toBeNull();
});
