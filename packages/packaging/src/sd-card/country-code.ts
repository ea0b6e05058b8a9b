/** What languages have names for though it is no country of ISO 3166-1: reserved, for groups of countries, for tests. */
const NO_COUNTRIES = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ');

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Of a country today, in capital letters. Codes that were given up are rewritten to what took their place. */
export const isCountryCode = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  names.of(code) !== undefined &&
  !NO_COUNTRIES.includes(code) &&
  new Intl.Locale(`und-${code}`).region === code;
