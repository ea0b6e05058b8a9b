import { ApiError, invalid } from '../http/api-error.ts';
import type { SeedEntry } from './seed-file.ts';

/** Names its whole path already. */
class SeedError extends ApiError {
  constructor(path: string, message: string) {
    super('invalid_request', message, { field: path });
  }
}

/** What is refused inside is refused with the place in the file: `members.0` and then the field. */
export const under = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'invalid_request' || error instanceof SeedError) throw error;
    const field = error.args['field'];
    // A reference that could not be resolved has named its whole path already.
    if (field?.startsWith(`${path}.`) || field === path) throw error;
    throw invalid(field === undefined ? path : `${path}.${field}`, error.message);
  }
};

/** A gadget stands in a list of its own in the file, but is made with its device: its problems are named where it stands. */
export const inOwnPlaces = async <T>(gadgets: readonly SeedEntry[], work: () => Promise<T>): Promise<T> => {
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
