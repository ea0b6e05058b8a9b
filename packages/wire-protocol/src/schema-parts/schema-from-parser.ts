import { MAX_REPORTED_PROBLEMS } from '@lintel/access-core/problem-list';
import type { Problem, Result } from '@lintel/access-core/result';
import * as z from 'zod';

type Parser<T> = (value: unknown, path: string) => Result<T>;

const ROOT = 'value';

const segmentsOf = (path: string): (string | number)[] =>
  path === ROOT
    ? []
    : path
        .slice(ROOT.length + 1)
        .split('.')
        .map(segment => (/^\d+$/.test(segment) ? Number(segment) : segment));

/**
 * Turns a parser into a schema. The parser alone validates, and its problems keep their paths. The shape is for the
 * generated documentation only.
 */
export const schemaFromParser = <T>(shape: z.ZodType, parse: Parser<T>): z.ZodType<T, T> => {
  const { $schema: _, ...documented } = z.toJSONSchema(shape, { io: 'input' });
  const judged = z.unknown().check(payload => {
    const result = parse(payload.value, ROOT);
    if (result.ok) payload.value = result.value;
    else
      for (const found of result.problems.slice(0, MAX_REPORTED_PROBLEMS))
        payload.issues.push(asIssue(found, payload.value));
  });
  return judged.meta(documented) as unknown as z.ZodType<T, T>;
};

const asIssue = (found: Problem, input: unknown) => ({
  code: 'custom' as const,
  input,
  path: segmentsOf(found.path),
  message: found.message,
  params: { code: found.code },
});
