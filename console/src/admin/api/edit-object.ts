import type { OrganizationClient } from './organization-client.ts';
import { ApiRequestError } from './send-request.ts';

/** Another user has changed fields that the user edits. */
export class EditConflictError extends ApiRequestError {
  /** The object as it is now. */
  readonly current: object;
  readonly fields: readonly string[];

  constructor(current: object, fields: readonly string[]) {
    super(412, { type: 'edit_conflict' });
    this.current = current;
    this.fields = fields;
  }
}

const MAX_ATTEMPTS = 5;

const isEditConflict = (error: unknown): boolean => error instanceof ApiRequestError && error.type === 'edit_conflict';

const valueOf = (object: object, field: string): string | undefined =>
  JSON.stringify((object as Readonly<Record<string, unknown>>)[field]);

/** The fields of `changes` that another user has changed since `base` was read. */
const findChangedFields = (base: object, current: object, changes: object): string[] =>
  Object.keys(changes).filter(field => valueOf(base, field) !== valueOf(current, field));

/**
 * Edits the object as it is now. The bridge rejects the edit if the object changes between reading and writing; then
 * it is read again.
 */
export const editCurrentObject = async <T extends object>(
  client: OrganizationClient,
  path: string,
  changesOf: (current: T) => object,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    const { content, tag } = await client.getTagged<T>(path);
    try {
      return await client.patch<T>(path, changesOf(content), tag);
    } catch (error) {
      if (!isEditConflict(error) || error instanceof EditConflictError || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

/** Edits fields of an object, unless another user has changed one of them since `base` was read. */
export const editObject = <T extends object>(
  client: OrganizationClient,
  path: string,
  base: object,
  changes: object,
): Promise<T> =>
  editCurrentObject<T>(client, path, current => {
    const fields = findChangedFields(base, current, changes);
    if (fields.length > 0) throw new EditConflictError(current, fields);
    return changes;
  });
