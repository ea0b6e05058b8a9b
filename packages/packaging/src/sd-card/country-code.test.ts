import { describe, expect, it } from 'vitest';
import { isCountryCode } from './country-code.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

describe('country code', () => {
  it('is one of ISO 3166-1', () => {
    expect(['ES', 'DE', 'US', 'GB', 'JP'].filter(code => !isCountryCode(code))).toEqual([]);
    expect(['XX', 'ZZ', 'UK', 'EU', 'SU', 'DD', 'es', 'E', 'ESP', '00', ''].filter(isCountryCode)).toEqual([]);
    expect(letters.flatMap(a => letters.map(b => `${a}${b}`)).filter(isCountryCode)).toHaveLength(249);
  });
});
