import { mustBeStorableText } from '@lintel/access-core/problem-texts';
import { createInvalidParameterError, apiErrorFactory } from './api-error.ts';

/** PostgreSQL rejects NUL, and a lone surrogate would be read back as another character. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Throws 404, since no object can have such an id. */
export const rejectUnstorableParams = (params: Readonly<Record<string, string>>): void => {
  for (const name in params) {
    if (!isStorable(params[name]!)) throw apiErrorFactory.notFound();
  }
};

const MAX_SHOWN_LENGTH = 100;

export const rejectUnstorableQuery = (query: Readonly<Record<string, unknown>>): void => {
  for (const name in query) {
    const value = query[name];
    if (isStorable(name) && (typeof value !== 'string' || isStorable(value))) continue;
    const field = name.slice(0, MAX_SHOWN_LENGTH).toWellFormed();
    throw createInvalidParameterError(field, mustBeStorableText);
  }
};
