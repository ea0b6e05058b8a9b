import { ApiError, createInvalidFieldError } from '../http/api-error.ts';
import type { SeedEntry } from './seed-file.ts';

/** An error whose field is already the full path in the seed file. */
class SeedError extends ApiError {
  constructor(path: string, message: string) {
    super('invalid_request', message, { field: path });
  }
}

/** Prefixes the field of an error with its path in the seed file, such as `members.0`. */
export const withSeedErrorPath = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'invalid_request' || error instanceof SeedError) throw error;
    const field = error.args['field'];
    // The field of an unresolved reference is already the full path.
    if (field?.startsWith(`${path}.`) || field === path) throw error;
    throw createInvalidFieldError(field === undefined ? path : `${path}.${field}`, error.message);
  }
};

/** Gadgets are listed separately in the file but created with their device: errors get the path of the gadget's entry. */
export const withSeedGadgetErrorPaths = async <T>(
  gadgets: readonly SeedEntry[],
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const [, index, field] =
      error instanceof ApiError ? (/^gadgets\.(\d+)\.(.+)$/.exec(error.args['field'] ?? '') ?? []) : [];
    const gadget = gadgets[Number(index)];
    if (gadget === undefined) throw error;
    throw new SeedError(`${gadget.path}.${field}`, (error as ApiError).message.replace(`gadgets.${index}.`, ''));
  }
};
