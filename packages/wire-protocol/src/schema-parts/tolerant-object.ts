import * as z from 'zod';

/**
 * An object that keeps fields it does not know: expands and a newer sender's additions survive a reader, and the
 * generated documentation leaves the object open. Its type names the known fields only, so that a writer's slip of the
 * pen is still an error.
 */
export const tolerantObject = <S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S> => z.looseObject(shape);
