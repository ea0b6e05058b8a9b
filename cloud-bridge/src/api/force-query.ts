import { mustBeBoolean } from '@lintel/access-core/problem-texts';
import { createInvalidParameterError } from '../http/api-error.ts';

/** The `force` parameter of a deletion that also removes what uses the object. */
export const createForceQuery = (description: string): { readonly force: string } => ({
  force: `${description} Default: false`,
});

export const isForced = ({ force }: Readonly<Record<string, unknown>>): boolean => {
  if (force === undefined || force === 'false') return false;
  if (force === 'true') return true;
  throw createInvalidParameterError('force', mustBeBoolean);
};
