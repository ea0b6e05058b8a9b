import { expect, it } from 'vitest';
import { type Heard, withHappening } from './happenings.ts';

it('keeps the newest five hundred, each with a number of its own', () => {
  let heard: readonly Heard[] = [];
  for (let at = 1; at <= 1_200; at++) heard = withHappening(heard, { type: 'key', station: 'front', key: '•' }, at);
  expect(heard).toHaveLength(500);
  expect([heard[0]?.number, heard[0]?.at, heard.at(-1)?.number]).toEqual([1_200, 1_200, 701]);
});
