import { describe, expect, it } from 'vitest';
import { type Heard, withHappening } from './happenings.ts';

describe('withHappening', () => {
  it('keeps the newest five hundred entries and numbers them', () => {
    let heard: readonly Heard[] = [];
    for (let at = 1; at <= 1_200; at++) heard = withHappening(heard, { type: 'key', station: 'front', key: '•' }, at);
    expect(heard).toHaveLength(500);
    expect([heard[0]?.number, heard[0]?.at, heard.at(-1)?.number]).toEqual([1_200, 1_200, 701]);
  });
});
