import { isUnknownField } from '@lintel/access-core/problem-texts';
import { failed, createProblem, type Problem, type Result } from '@lintel/access-core/result';
import type * as z from 'zod';
import { parseWithSchema } from '../schema-parts/parse-with-schema.ts';

/** Limit for all lists and objects of a body together. The largest realistic body, a full schedule, has 30,254. */
const MOST_VALUES = 40_000;

/**
 * Checks before schema validation: too many values, and the key `__proto__`, which is never a field and is unsafe to
 * copy.
 */
const findUnsafeContent = (body: unknown): Problem | null => {
  const seen = new Set<object>();
  const waiting: { readonly value: object; readonly path: string }[] = [];
  const wait = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    waiting.push({ value, path });
  };
  wait(body, '');
  let values = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    const keys = Object.keys(value);
    values += keys.length;
    if (values > MOST_VALUES)
      return createProblem(path, 'too_many', `must not bring the body above ${MOST_VALUES} values`);
    for (const key of keys) {
      const inner = (value as Record<string, unknown>)[key];
      if (key !== '__proto__' && typeof inner !== 'object') continue;
      const innerPath = path === '' ? key : `${path}.${key}`;
      if (key === '__proto__') return createProblem(innerPath, 'unknown_field', isUnknownField());
      wait(inner, innerPath);
    }
  }
  return null;
};

export const parseRequestBody = <S extends z.ZodType>(schema: S, body: unknown): Result<z.output<S>> => {
  const unsafe = findUnsafeContent(body);
  return unsafe === null ? parseWithSchema(schema, body) : failed([unsafe]);
};
