import { describe, expect, it } from 'vitest';
import { OneTimeToken } from './one-time-token.ts';

describe('OneTimeToken', () => {
  it('accepts its text once', () => {
    const token = new OneTimeToken();
    expect([token.use(''), token.use(`${token.text}x`), token.use(new OneTimeToken().text)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([token.use(token.text), token.use(token.text)]).toEqual([true, false]);
  });
});
