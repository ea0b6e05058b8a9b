import { MAX_REPORTED_PROBLEMS } from '@lintel/access-core/problem-list';
import { failed, ok, type Problem, createProblem, type Result } from '@lintel/access-core/result';
import type * as z from 'zod';

const dotted = (path: readonly PropertyKey[]): string => path.map(String).join('.');

const codeOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'custom') return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid';
  return issue.code;
};

const inWords = (issue: z.core.$ZodIssue): string => {
  if (issue.code !== 'invalid_type') return issue.message;
  const expected = issue.expected === 'record' ? 'object' : issue.expected;
  return issue.message.endsWith('received undefined') ? 'is missing' : `must be of type ${expected}`;
};

const problemsOf = (issue: z.core.$ZodIssue): Problem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys
        .slice(0, MAX_REPORTED_PROBLEMS)
        .map(key => createProblem(dotted([...issue.path, key]), 'unknown_field', 'is not a known field'))
    : [createProblem(dotted(issue.path), codeOf(issue), inWords(issue))];

/** Validates with a schema and returns the common result type. */
export const parseWithSchema = <S extends z.ZodType>(schema: S, value: unknown): Result<z.output<S>> => {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  return failed(
    parsed.error.issues.slice(0, MAX_REPORTED_PROBLEMS).flatMap(problemsOf).slice(0, MAX_REPORTED_PROBLEMS),
  );
};
