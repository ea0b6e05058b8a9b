import { useRef } from 'preact/hooks';
import { EditConflictError, editObject } from './edit-object.ts';
import { useCurrentOrganization } from './current-organization.ts';

/**
 * Saves what a form edits. Compares with the object that the form was opened with; after a conflict with the one that
 * the form then shows, so that saving again keeps the values of the user.
 */
export const useObjectEdit = (object: object | null) => {
  const { client } = useCurrentOrganization();
  const base = useRef(object ?? {});
  return async <T extends object>(path: string, changes: object): Promise<T> => {
    try {
      return await editObject<T>(client, path, base.current, changes);
    } catch (error) {
      if (error instanceof EditConflictError) base.current = error.current;
      throw error;
    }
  };
};
