import * as z from 'zod';

type Kinds = Readonly<Record<string, { readonly schema: z.ZodType }>>;

/** An object with exactly one of these keys. */
export const exactlyOneKeySchema = <K extends Kinds>(kinds: K) => {
  const optional = Object.fromEntries(Object.entries(kinds).map(([key, { schema }]) => [key, z.optional(schema)]));
  return z
    .strictObject(optional as unknown as { [P in keyof K]: z.ZodOptional<K[P]['schema']> })
    .check(({ value, issues }) => {
      const given = Object.values(value).filter(field => field !== undefined).length;
      if (given === 1) return;
      const message = `must be one of ${Object.keys(kinds).join(', ')}`;
      issues.push({ code: 'custom', input: value, path: [], message });
    });
};

/** The entry of `kinds` for the only key of an object that `exactlyOneKeySchema` has parsed, and its value. */
export const findEntryForOnlyKey = <T>(
  kinds: Readonly<Record<string, T>>,
  value: object,
): readonly [kind: T, given: unknown] => {
  const [name, given] = Object.entries(value).find(([, field]) => field !== undefined)!;
  return [kinds[name]!, given];
};
