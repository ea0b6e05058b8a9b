import * as z from 'zod';

/**
 * An object schema that keeps unknown fields, so that expands and fields of a newer sender survive parsing and the
 * generated documentation allows them. Its type has the known fields only, so that typos are still type errors.
 */
export const tolerantObjectSchema = <S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S> => z.looseObject(shape);
