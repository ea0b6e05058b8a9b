import { ApiError, invalid } from './api-error.ts';

/** PostgreSQL refuses NUL, and half a surrogate pair would come back as another character. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** No object has such an id. */
export const refuseStrangeParams = (params: Readonly<Record<string, string>>): void => {
  for (const name in params) {
    if (!isStorable(params[name]!)) throw new ApiError('not_found', 'Not found');
  }
};

const LONGEST_SHOWN = 100;

export const refuseStrangeQuery = (query: Readonly<Record<string, unknown>>): void => {
  for (const name in query) {
    const value = query[name];
    if (isStorable(name) && (typeof value !== 'string' || isStorable(value))) continue;
    const field = name.slice(0, LONGEST_SHOWN).toWellFormed();
    throw invalid(field, 'must be well-formed text without NUL');
  }
};
