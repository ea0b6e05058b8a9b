import { expect, test } from 'vitest';
import { isCountryCode } from './country-code.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

test('countries are those of ISO 3166-1, and nothing else is', () => {
  expect(['ES', 'DE', 'US', 'GB', 'JP'].filter(code => !isCountryCode(code))).toEqual([]);
  expect(['XX', 'ZZ', 'UK', 'EU', 'SU', 'DD', 'es', 'E', 'ESP', '00', ''].filter(isCountryCode)).toEqual([]);
  expect(letters.flatMap(a => letters.map(b => `${a}${b}`)).filter(isCountryCode)).toHaveLength(249);
});
