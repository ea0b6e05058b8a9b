import type { FarAnswer } from './answer-parts.ts';

/** Headers of a controller that may become the bridge's own, and what they may say. */
const forms: Readonly<Record<string, RegExp>> = {
  'content-disposition': /^attachment; filename="[\w.-]{1,100}"$/,
  'retry-after': /^\d{1,6}$/,
  allow: /^[A-Z, ]{1,60}$/,
};

/** A controller in the wrong hands must not set cookies or policies for the bridge's own address. */
export const passedHeaders = ({ headers }: Pick<FarAnswer, 'headers'>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => forms[name]?.test(value) === true));
