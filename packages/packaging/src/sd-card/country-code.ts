/** Codes with a name that are not countries of ISO 3166-1: reserved, for groups of countries, for tests. */
const NO_COUNTRIES = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ');

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** True for a current country, in capital letters. `Intl.Locale` replaces withdrawn codes by their successors. */
export const isCountryCode = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) &&
  names.of(code) !== undefined &&
  !NO_COUNTRIES.includes(code) &&
  new Intl.Locale(`und-${code}`).region === code;
