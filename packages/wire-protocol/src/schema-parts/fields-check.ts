import * as z from 'zod';

type Payload<T> = z.core.ParsePayload<T>;

/**
 * A check of some fields of an object together. It runs unless one of these fields has a problem of its own, so that the
 * problems of all other fields are reported in the same response.
 */
export const createFieldsCheck = <T extends object>(
  fields: readonly (keyof T & string)[],
  check: (payload: Payload<T>) => void,
): z.core.$ZodCheck<T> => {
  const made = z.check<T>(check);
  made._zod.def.when = ({ value, issues }) =>
    typeof value === 'object' &&
    value !== null &&
    !issues.some(({ path }) => fields.includes(path?.[0] as keyof T & string));
  return made;
};
